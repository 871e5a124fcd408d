package import FetchValues

/// A due time that passed without a run, with the reason in one sentence.
package struct SkipRecord: Equatable, Sendable {
  package var job: String
  package var at: Timestamp
  package var reason: String

  package init(job: String, at: Timestamp, reason: String) {
    self.job = job
    self.at = at
    self.reason = reason
  }

  /// The number of records kept of one job; older ones are removed.
  package static let keptPerJob = 50
}
