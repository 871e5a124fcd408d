/// The reason why a secret is unavailable: the end of a sentence that begins with the secret or its
/// source.
package struct SecretProblem: Error, Equatable, Sendable {
  package var message: String
  /// Whether a retry may help.
  package var retryable: Bool

  package init(_ message: String, retryable: Bool = false) {
    self.message = message
    self.retryable = retryable
  }
}
