package import FetchModel

/// Reads the values of secrets from their sources. Nothing is cached: each call reads anew.
package protocol SecretReading: Sendable {
  /// Reads the value of any source except `oauth2`, whose tokens `AccessTokens` requests.
  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue

  /// Returns the refresh token to use: the latest one that the server has sent, otherwise the token
  /// in the client's source.
  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue?

  /// Stores a refresh token that the server has sent in place of the previous one.
  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem)
}
