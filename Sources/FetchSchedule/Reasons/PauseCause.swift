/// The cause of a job's pause.
package enum PauseCause: String, Hashable, Sendable, CaseIterable {
  case person
  /// The source answered 410 Gone. The pause ends when the job's source changes or when a person
  /// resumes the job.
  case gone
}
