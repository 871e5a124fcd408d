/// Who paused a job.
package enum PauseCause: String, Hashable, Sendable, CaseIterable {
  case person
  /// The source answered 410 Gone.
  case gone
}
