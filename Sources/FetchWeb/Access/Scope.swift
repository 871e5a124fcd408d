/// A right of a token. Each right exists because some tokens need only this right.
package enum Scope: String, CaseIterable, Sendable {
  /// Read everything that the pages and the API show.
  case read
  /// Read the metrics.
  case metrics
  /// Read the feeds.
  case feed
  /// Send notifications that a source has news.
  case push
  /// Run, push, pause, resume, retry, cancel and drop.
  case act
  /// Approve permissions, and reload the config.
  case grant
}
