/// What the host needs to get an access token (RFC 6749): by the client's own credentials (section
/// 4.4), or by a refresh token (section 6) where there is one.
package struct OAuthClient: Hashable, Sendable {
  /// How a client says who it is (section 2.3.1).
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
