package import FetchModel
package import FetchValues

/// A run whose answers are kept.
package struct KeptRunRow: Equatable, Sendable {
  package var run: RunID
  package var job: String
  package var startedAt: Timestamp
  package var bytes: Int

  package init(run: RunID, job: String, startedAt: Timestamp, bytes: Int) {
    self.run = run
    self.job = job
    self.startedAt = startedAt
    self.bytes = bytes
  }
}
