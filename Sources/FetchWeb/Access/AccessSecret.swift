import FetchValues

/// The secrets of clients: tokens, cookies and login codes. Each secret has 256 random bits, so
/// nobody can guess it. A plain hash of the secret can therefore be stored, without a slow hash
/// function.
package enum AccessSecret {
  package static let tokenPrefix = "frt_"
  static let cookiePrefix = "frs_"
  static let codePrefix = "frc_"
  private static let bytesCount = 32

  /// Returns a new secret that begins with the prefix.
  ///
  /// - Parameter random: returns random numbers from the operating system.
  package static func make(_ prefix: String, random: () -> UInt64) -> String {
    prefix + text(bytesCount: bytesCount, random: random)
  }

  /// Makes the unguessable part of an address: 128 random bits in 22 characters.
  package static func makeCapability(random: () -> UInt64) -> String {
    text(bytesCount: 16, random: random)
  }

  private static func text(bytesCount: Int, random: () -> UInt64) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<bytesCount / 8 {
      let word = random()
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    return Base64.text(bytes, .url)
  }

  package static func hash(_ secret: String) -> [UInt8] {
    SHA256.hash(data: Array(secret.utf8))
  }

  /// Whether a text has the prefix and the length of a secret. A text without them need not be
  /// hashed.
  static func isPlausible(_ text: String, _ prefix: String) -> Bool {
    text.utf8.count == prefix.utf8.count + 43 && text.hasPrefix(prefix)
  }

  /// Returns the form token of a caller in a browser. Each POST form of the caller must contain
  /// this token. `secret` is the secret of the login, or a secret text for the user of a proxy.
  /// Another site cannot know the token.
  static func formToken(of secret: String) -> String {
    Base64.text(
      HMAC.code(.sha256, for: Array("fetchrun form".utf8), key: Array(secret.utf8)), .url)
  }
}
