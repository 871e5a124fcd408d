/// The answer of a token server (RFC 6749 section 5.1).
package struct AccessToken: Equatable, Sendable {
  package var value: SecretValue
  /// The token's lifetime; nil if the server does not give one.
  package var lifetime: Duration?
  /// The new refresh token that replaces the one that was sent.
  package var refreshToken: SecretValue?

  package init(value: SecretValue) { self.value = value }
}
