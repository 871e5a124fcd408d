/// The cause of a job's pause.
package enum PauseCause: String, Hashable, Sendable, CaseIterable {
  case person
  /// The source answered 410 Gone. The pause ends when the job gets another source or a person
  /// resumes it.
  case gone
}
