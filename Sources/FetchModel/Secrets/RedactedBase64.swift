/// What of a secret can be told in base64 that was made of it, whatever stood before and after it.
///
/// Three bytes make four digits, so there are three ways in which the bytes can lie. Of each the
/// digits are taken that the secret alone decides; in between two of them nothing else fits.
enum RedactedBase64 {
  struct Needle: Equatable {
    var digits: [UInt8]
    /// Whether the digit before and the one after hold bits of the secret too.
    var hasEdges: Bool
  }

  /// Shorter ones could be found by chance in any picture.
  private static let digitsMin = 8

  static func needles(of secret: [UInt8]) -> [Needle] {
    var needles: [Needle] = []
    for alphabet in [Base64.Alphabet.standard, .url] {
      let whole = digits(of: secret, alphabet)
      if whole.count >= digitsMin - 2 { add(Needle(digits: whole, hasEdges: false), to: &needles) }
      for bytesBefore in 0..<3 {
        let all = digits(of: [UInt8](repeating: 0, count: bytesBefore) + secret, alphabet)
        let first = (8 * bytesBefore + 5) / 6
        let end = 8 * (bytesBefore + secret.count) / 6
        guard end - first >= digitsMin else { continue }
        add(Needle(digits: Array(all[first..<end]), hasEdges: true), to: &needles)
      }
    }
    return needles
  }

  /// A text that was encoded alone.
  static func whole(_ bytes: [UInt8]) -> Needle {
    Needle(digits: digits(of: bytes, .standard), hasEdges: false)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "+/-_".utf8.contains(byte)
  }

  private static func digits(of bytes: [UInt8], _ alphabet: Base64.Alphabet) -> [UInt8] {
    bytes.withUnsafeBytes { Base64.encode($0, alphabet, padded: false) }
  }

  private static func add(_ needle: Needle, to needles: inout [Needle]) {
    if !needles.contains(where: { $0.digits == needle.digits }) { needles.append(needle) }
  }
}
