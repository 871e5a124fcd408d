/// Who paused a job.
package enum PauseCause: String, Hashable, Sendable, CaseIterable {
  case person
  /// The source answered 410 Gone: until another one is asked, or a person resumes the job.
  case gone
}
