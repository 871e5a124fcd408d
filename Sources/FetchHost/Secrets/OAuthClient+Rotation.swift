import Crypto
import FetchModel
import FetchValues

extension OAuthClient {
  /// What stored secrets are called that the host has put there itself.
  package static let rotationPrefix = "oauth2-"

  /// The name under which the tokens are kept that took the place of that first one: another first
  /// token, which the user has put there, begins anew.
  func rotationName(of first: SecretValue) -> String {
    var writer = ValueWriter()
    for text in [tokenURL, clientID, scope ?? "", first.text] { writer.write(text) }
    let digest = Array(SHA256.hash(data: writer.bytes)).prefix(16)
    return Self.rotationPrefix + Hexadecimal.text(of: Array(digest))
  }
}
