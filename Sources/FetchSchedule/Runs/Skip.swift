package import FetchValues

/// A due time or trigger that passed without a run, for the records.
package struct Skip: Hashable, Sendable {
  package var job: JobNumber
  package var at: Timestamp
  package var reason: SkipReason

  package init(job: JobNumber, at: Timestamp, reason: SkipReason) {
    self.job = job
    self.at = at
    self.reason = reason
  }
}
