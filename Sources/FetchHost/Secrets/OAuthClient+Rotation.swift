import Crypto
import FetchModel
import FetchValues

extension OAuthClient {
  /// The prefix of the names of stored secrets that the host itself creates.
  package static let rotationPrefix = "oauth2-"

  /// Returns the name for the tokens that replaced the first one. A different first token, set by
  /// the user, has a different name and so starts anew.
  func rotationName(of first: SecretValue) -> String {
    var writer = ValueWriter()
    for text in [tokenURL, clientID, scope ?? "", first.text] { writer.write(text) }
    let digest = Array(SHA256.hash(data: writer.bytes)).prefix(16)
    return Self.rotationPrefix + Hexadecimal.text(of: Array(digest))
  }
}
