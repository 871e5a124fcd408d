/// What a token server gave (RFC 6749 section 5.1).
package struct AccessToken: Equatable, Sendable {
  package var value: SecretValue
  /// For how long; nil where the server does not say.
  package var lifetime: Duration?
  /// What is to be used from now on in place of the refresh token that was sent.
  package var refreshToken: SecretValue?

  package init(value: SecretValue) { self.value = value }
}
