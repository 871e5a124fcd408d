package import FetchValues

/// Why an attempt to deliver did not succeed.
package struct DeliveryFailure: Error, Equatable, Sendable {
  /// One sentence, without a secret in it.
  package var message: String
  /// Whether the same delivery may succeed later with nothing changed by the user.
  package var isRetryable: Bool
  /// When the receiver wants to be asked again at the earliest.
  package var retryAt: Timestamp?

  package init(_ message: String, isRetryable: Bool = true, retryAt: Timestamp? = nil) {
    self.message = message
    self.isRetryable = isRetryable
    self.retryAt = retryAt
  }
}
