/// A right of a token. Each has one reason to be given alone.
package enum Scope: String, CaseIterable, Sendable {
  /// Everything that is shown.
  case read
  /// The metrics.
  case metrics
  /// The feeds.
  case feed
  /// Notifications that a source has news.
  case push
  /// Run, push, pause, resume, retry, cancel and drop.
  case act
  /// Approve permissions, and reload the config.
  case grant
}
