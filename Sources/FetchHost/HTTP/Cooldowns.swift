package import FetchValues

/// The pauses that servers have requested, by hostname, for all requests.
package protocol Cooldowns: Sendable {
  /// Returns the end of a hostname's pause; nil if requests are allowed.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  func close(_ note: RetryAfterNote, now: Timestamp)
}
