package import FetchValues

/// The check of a signature over a body (HMAC, RFC 2104) while the body arrives. The check needs no
/// copy of the body.
package struct SignatureCheck: Sendable {
  private var code: HMAC
  /// The authentication codes that the sender claims. One code must be right. The list is empty if
  /// the message has no readable code, and so counts as unsigned.
  private let claimed: [[UInt8]]

  /// Creates a check from the key and the codes that the sender claims.
  ///
  /// - Parameter algorithm: the hash function. The large public WebSub hubs still use SHA-1, which
  ///   is enough for a message that only causes a check of the source.
  package init(_ algorithm: HashFunction.Algorithm, key: [UInt8], claimed: [[UInt8]]) {
    code = HMAC(algorithm, key: key)
    self.claimed = claimed
  }

  package var isSigned: Bool { !claimed.isEmpty }

  package mutating func update(_ bytes: [UInt8]) { code.update(data: bytes) }

  /// Whether one of the claimed codes is right. The duration of the comparison depends only on the
  /// number and the lengths of the codes.
  package var isRight: Bool {
    let right = code.finalize()
    return claimed.reduce(false) { found, code in ConstantTime.areEqual(code, right) || found }
  }
}

// MARK: The forms of signatures

extension SignatureCheck {
  /// The maximum number of codes in one message. A sender that changes its secret sends two codes.
  private static let codesMax = 8

  /// Returns the check of a message by its field `X-Hub-Signature-256`: `sha256=` and hexadecimal
  /// digits.
  ///
  /// - Parameter fields: all values of the header field. A message with several values counts as
  ///   unsigned.
  package static func github(_ fields: [String], key: [UInt8]) -> SignatureCheck {
    let codes = fields.count == 1 ? [hexadecimal(fields[0], after: "sha256=")] : []
    return SignatureCheck(.sha256, key: key, claimed: codes.compactMap(\.self))
  }

  /// Returns the check of a WebSub message by its field `X-Hub-Signature` (WebSub, section 8): the
  /// name of a hash function, `=`, and hexadecimal digits. A message with MD5 or an unknown hash
  /// function counts as unsigned.
  ///
  /// - Parameter fields: all values of the header field. A message with several values counts as
  ///   unsigned.
  package static func hub(_ fields: [String], key: [UInt8]) -> SignatureCheck {
    guard fields.count == 1, let cut = fields[0].utf8.firstIndex(of: UInt8(ascii: "=")) else {
      return SignatureCheck(.sha256, key: key, claimed: [])
    }
    let name = HashFunction.Algorithm(rawValue: fields[0][..<cut].asciiLowercased)
    guard let algorithm = name, algorithm != .md5 else {
      return SignatureCheck(.sha256, key: key, claimed: [])
    }
    let code = hexadecimal(fields[0], after: String(fields[0][...cut]))
    return SignatureCheck(algorithm, key: key, claimed: [code].compactMap(\.self))
  }

  /// Returns the check of a Standard Webhooks message. Its signatures are separated by spaces, and
  /// each code follows `v1,`. The sender signs the id, the time and the body.
  ///
  /// - Parameter signatures: all values of `webhook-signature`. A message with several values
  ///   counts as unsigned.
  package static func standardWebhook(
    id: String, timestamp: String, _ signatures: [String], key: [UInt8]
  ) -> SignatureCheck {
    let words = signatures.count == 1 ? signatures[0].split(separator: " ") : []
    let codes = words.prefix(codesMax).compactMap { word -> [UInt8]? in
      guard word.hasPrefix("v1,") else { return nil }
      return Array(word.utf8.dropFirst(3)).withUnsafeBytes { Base64.decode($0, strict: false) }
    }
    var check = SignatureCheck(.sha256, key: key, claimed: codes)
    check.update(Array("\(id).\(timestamp).".utf8))
    return check
  }

  private static func hexadecimal(_ text: String, after prefix: String) -> [UInt8]? {
    guard text.hasPrefix(prefix) else { return nil }
    return Hexadecimal.bytes(of: Array(text.utf8.dropFirst(prefix.utf8.count)))
  }
}
