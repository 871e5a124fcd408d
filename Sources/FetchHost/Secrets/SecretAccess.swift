import FetchModel

/// The host's access to secrets, for all runs.
package struct SecretAccess: Sendable {
  package let reading: any SecretReading
  package let tokens: AccessTokens
  let read: SecretCache

  package init(
    reading: any SecretReading, tokens: AccessTokens = AccessTokens(),
    read: SecretCache = SecretCache()
  ) {
    self.reading = RecordingSecretReader(reading: reading, read: read)
    self.tokens = tokens
    self.read = read
  }
}

/// A reader that adds the values that it reads to the cache, even if they are never sent. Values
/// that cost nothing to read are not cached.
struct RecordingSecretReader: SecretReading {
  let reading: any SecretReading
  let read: SecretCache

  func value(of source: SecretSource) async throws(SecretProblem) -> SecretValue {
    let value = try await reading.value(of: source)
    read.note([(nil, value)], from: source)
    return value
  }

  func refreshToken(of client: OAuthClient) async throws(SecretProblem) -> SecretValue? {
    let token = try await reading.refreshToken(of: client)
    if let token, let source = client.refreshToken { read.note([(nil, token)], from: source) }
    return token
  }

  func keep(_ token: SecretValue, of client: OAuthClient) async throws(SecretProblem) {
    try await reading.keep(token, of: client)
  }
}
