/// The credentials and scope for signing a request by AWS Signature Version 4.
package struct AWSCredentials: Equatable, Sendable {
  package var keyID: String
  package var secretKey: SecretValue
  /// The session token of temporary credentials.
  package var sessionToken: SecretValue?
  package var region: String
  /// The AWS service, such as `execute-api`. For `s3`, paths and bodies are signed in a different
  /// way.
  package var service: String

  package init(keyID: String, secretKey: SecretValue, region: String, service: String) {
    self.keyID = keyID
    self.secretKey = secretKey
    self.region = region
    self.service = service
  }

  package var isS3: Bool { service == "s3" }
}
