/// How the host comes by secrets, for all runs.
package struct SecretAccess: Sendable {
  package let reading: any SecretReading
  package let tokens: AccessTokens
  let read: ReadSecrets

  package init(
    reading: any SecretReading, tokens: AccessTokens = AccessTokens(),
    read: ReadSecrets = ReadSecrets()
  ) {
    self.reading = NotedReading(reading: reading, read: read)
    self.tokens = tokens
    self.read = read
  }
}
