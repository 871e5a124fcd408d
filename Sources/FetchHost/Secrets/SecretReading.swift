package import FetchModel

/// Reads the values of secrets from their sources. Nothing is cached: each call reads anew.
package protocol SecretReading: Sendable {
  /// Reads any source but `oauth2`, whose tokens are requested instead (`AccessTokens`).
  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue

  /// Returns the refresh token to use: the newest replacement of the one in the client's source.
  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue?

  /// Stores a refresh token with which the server has replaced another.
  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem)
}
