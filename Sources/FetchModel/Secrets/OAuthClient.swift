/// The data for requesting an access token (RFC 6749). With a refresh token, the request follows
/// section 6; otherwise, it follows section 4.4 (client credentials).
package struct OAuthClient: Hashable, Sendable {
  /// The method by which a client authenticates itself (RFC 6749 section 2.3.1).
  package enum Authentication: String, CaseIterable, Sendable {
    case basic
    case body
  }

  package var tokenURL: String
  package var clientID: String
  package var clientSecret: SecretSource?
  package var refreshToken: SecretSource?
  package var scope: String?
  package var authentication = Authentication.basic

  package init(tokenURL: String, clientID: String) {
    self.tokenURL = tokenURL
    self.clientID = clientID
  }
}

/// The access token in the answer of a token server (RFC 6749 section 5.1).
package struct AccessToken: Equatable, Sendable {
  package var value: SecretValue
  /// The token's lifetime; nil if the server does not give a valid one.
  package var lifetime: Duration?
  /// The new refresh token, which replaces the previous one; nil if the server gives none.
  package var refreshToken: SecretValue?

  package init(value: SecretValue) { self.value = value }
}
