import FetchModel
import FetchValues

extension OAuthClient {
  /// The prefix of names for the stored secrets that the host itself creates.
  package static let rotationPrefix = "oauth2-"

  /// Returns the name under which the host stores the refresh tokens that have replaced the first
  /// one. If the user sets a different first token, the name differs too, so the stored token is no
  /// longer used.
  func rotationName(of first: SecretValue) -> String {
    var writer = ValueWriter()
    for text in [tokenURL, clientID, scope ?? "", first.text] { writer.write(text) }
    let digest = SHA256.hash(data: writer.bytes).prefix(16)
    return Self.rotationPrefix + Hexadecimal.text(of: Array(digest))
  }
}
