/// The reason why a secret is unavailable. The message ends a sentence that begins with the secret
/// or its source.
package struct SecretProblem: Error, Equatable, Sendable {
  package var message: String
  /// Whether another attempt to read the secret may succeed.
  package var retryable: Bool

  package init(_ message: String, retryable: Bool = false) {
    self.message = message
    self.retryable = retryable
  }
}
