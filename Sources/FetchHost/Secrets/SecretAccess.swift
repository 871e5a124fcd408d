/// How the host comes by secrets, for all runs.
package struct SecretAccess: Sendable {
  package let reading: any SecretReading
  package let tokens: AccessTokens

  package init(reading: any SecretReading, tokens: AccessTokens = AccessTokens()) {
    self.reading = reading
    self.tokens = tokens
  }
}
