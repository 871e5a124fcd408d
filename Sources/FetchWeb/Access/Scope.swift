/// A right of a caller, for example of a token.
package enum Scope: String, CaseIterable, Sendable {
  /// The right to read everything that the pages and the API show, except the list of tokens.
  case read
  /// The right to read the metrics.
  case metrics
  /// The right to read the feeds.
  case feed
  /// The right to send notifications that a source has news.
  case push
  /// The right to run, pause and resume jobs, to retry and cancel transfers, to retry and drop
  /// deliveries, and to renew subscriptions.
  case act
  /// The right to approve permissions, to reload the config, and to list the tokens.
  case grant
}
