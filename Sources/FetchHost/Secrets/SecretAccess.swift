/// How the host comes by secrets, for all runs.
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
