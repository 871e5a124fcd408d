package import FetchValues

/// An occasion that passed without a run, and why, in a sentence.
package struct SkipRecord: Equatable, Sendable {
  package var job: String
  package var at: Timestamp
  package var reason: String

  package init(job: String, at: Timestamp, reason: String) {
    self.job = job
    self.at = at
    self.reason = reason
  }

  /// Kept of one job; older ones go.
  package static let keptPerJob = 50
}
