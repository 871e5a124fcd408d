package import FetchValues

/// Hostnames that have asked to be left alone, for all who ask them.
package protocol Cooldowns: Sendable {
  /// Until when a hostname is not to be asked; nil: it may be.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  func close(_ note: RetryAfterNote, now: Timestamp)
}
