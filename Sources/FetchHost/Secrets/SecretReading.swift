package import FetchModel

/// Reads the values of secrets where they are kept. Nothing is remembered: each call reads anew.
package protocol SecretReading: Sendable {
  /// Of any source but `oauth2`, whose tokens are not read but asked for (`AccessTokens`).
  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue

  /// The refresh token to use: the newest that took the place of the one in the client's source.
  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue?

  /// Keeps a refresh token that the server has put in the place of another one.
  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem)
}
