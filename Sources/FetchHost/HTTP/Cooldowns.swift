package import FetchValues

/// The hostnames that have asked for a pause, shared by all requests.
package protocol Cooldowns: Sendable {
  /// Returns the end of a hostname's pause; nil if requests are allowed.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  func close(_ note: RetryAfterNote, now: Timestamp)
}
