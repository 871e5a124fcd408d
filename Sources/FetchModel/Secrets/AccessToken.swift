/// The access token in the answer of a token server (RFC 6749 section 5.1).
package struct AccessToken: Equatable, Sendable {
  package var value: SecretValue
  /// The token's lifetime; nil if the server does not give one.
  package var lifetime: Duration?
  /// The refresh token that replaces the sent refresh token; nil if the server gives none.
  package var refreshToken: SecretValue?

  package init(value: SecretValue) { self.value = value }
}
