import FetchValues

/// The digits that reveal a secret in base64, base32 and hexadecimal text.
///
/// Three bytes make four digits of base64, and five bytes make eight of base32. The digits of a
/// secret therefore depend on its position within a group of bytes. For each position, the redactor
/// looks for the digits that depend on the secret alone, if there are at least `digitsMin`. It also
/// looks for the digits of a secret that is encoded alone.
enum RedactedDigits {
  struct Needle: Equatable {
    var digits: [UInt8]
    /// Whether the digits directly before and after `digits` may also contain bits of the secret.
    var hasEdges: Bool
  }

  /// The minimum number of base64 or base32 digits to look for if other bytes are encoded before or
  /// after the secret. Fewer digits may occur by chance in an encoded picture. If the secret is
  /// encoded alone, two digits fewer are enough.
  private static let digitsMin = 8

  static func needles(of secret: [UInt8]) -> [Needle] {
    var needles: [Needle] = []
    for alphabet in [Base64.Alphabet.standard, .url] {
      add(of: secret, bits: 6, groupBytes: 3, to: &needles) { digits(of: $0, alphabet) }
    }
    for alphabet in base32 {
      add(of: secret, bits: 5, groupBytes: 5, to: &needles) { base32Digits(of: $0, alphabet) }
    }
    let lower = Array(Hexadecimal.text(of: secret).utf8)
    for digits in [lower, lower.map { $0.isASCIILetter ? $0 & 0xDF : $0 }] {
      add(Needle(digits: digits, hasEdges: false), to: &needles)
    }
    return needles
  }

  /// Returns the base64 digits of bytes that are encoded alone.
  static func whole(_ bytes: [UInt8]) -> Needle {
    Needle(digits: digits(of: bytes, .standard), hasEdges: false)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "+/-_".utf8.contains(byte)
  }

  /// Adds the secret's digits in one alphabet to `needles`. The first digits are those of the
  /// secret encoded alone. The other digits are for each place in a group of bytes at which the
  /// secret may begin. Sequences that are too short are not added.
  private static func add(
    of secret: [UInt8], bits: Int, groupBytes: Int, to needles: inout [Needle],
    digits: ([UInt8]) -> [UInt8]
  ) {
    let whole = digits(secret)
    if whole.count >= digitsMin - 2 { add(Needle(digits: whole, hasEdges: false), to: &needles) }
    for bytesBefore in 0..<groupBytes {
      let all = digits([UInt8](repeating: 0, count: bytesBefore) + secret)
      let first = (8 * bytesBefore + bits - 1) / bits
      let end = 8 * (bytesBefore + secret.count) / bits
      guard end - first >= digitsMin else { continue }
      add(Needle(digits: Array(all[first..<end]), hasEdges: true), to: &needles)
    }
  }

  private static func add(_ needle: Needle, to needles: inout [Needle]) {
    if !needles.contains(where: { $0.digits == needle.digits }) { needles.append(needle) }
  }

  private static func digits(of bytes: [UInt8], _ alphabet: Base64.Alphabet) -> [UInt8] {
    bytes.withUnsafeBytes { Base64.encode($0, alphabet, padded: false) }
  }

  /// The alphabet of base32 (RFC 4648 section 6) in upper and in lower case, because programs write
  /// both.
  private static let base32 = [
    Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8), Array("abcdefghijklmnopqrstuvwxyz234567".utf8),
  ]

  private static func base32Digits(of bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      bits = (bits << 8 | UInt32(byte)) & 0xFFF
      count += 8
      while count >= 5 {
        count -= 5
        digits.append(alphabet[Int(bits >> count & 31)])
      }
    }
    if count > 0 { digits.append(alphabet[Int(bits << (5 - count) & 31)]) }
    return digits
  }
}
