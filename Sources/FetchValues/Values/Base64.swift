/// The encoding and decoding of Base64 according to RFC 4648, section 4 (`+/`) and section 5 (`-_`,
/// for URLs and file names).
package enum Base64 {
  package enum Alphabet: Sendable {
    case standard
    case url
  }

  package static func text(_ bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
    let text = bytes.withUnsafeBytes { encode($0, alphabet, padded: alphabet == .standard) }
    return String(decoding: text, as: UTF8.self)
  }

  package static func encode(
    _ bytes: UnsafeRawBufferPointer, _ alphabet: Alphabet, padded: Bool
  ) -> [UInt8] {
    let digits = alphabet == .standard ? standardDigits : urlDigits
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index + 3 <= bytes.count {
      let group =
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8
        | UInt32(bytes[index + 2])
      for shift in [18, 12, 6, 0] as [UInt32] { text.append(digits[Int(group >> shift & 63)]) }
      index += 3
    }
    let left = bytes.count - index
    if left > 0 {
      let second = left == 2 ? UInt32(bytes[index + 1]) : 0
      let group = UInt32(bytes[index]) << 16 | second << 8
      text.append(digits[Int(group >> 18 & 63)])
      text.append(digits[Int(group >> 12 & 63)])
      if left == 2 { text.append(digits[Int(group >> 6 & 63)]) }
      if padded { for _ in left..<3 { text.append(UInt8(ascii: "=")) } }
    }
    return text
  }

  /// Decodes text in either alphabet; nil for invalid text. Missing padding and white space are
  /// accepted unless `strict` is true. With `strict`, the text is also invalid if the unused bits
  /// of its last digit are not zero.
  package static func decode(_ text: UnsafeRawBufferPointer, strict: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var digitCount = 0
    var paddingCount = 0
    for byte in text {
      if !strict && (byte == 0x20 || (0x09...0x0D).contains(byte)) { continue }
      if byte == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let digit = digit(byte) else { return nil }
      bits = bits << 6 | UInt32(digit)
      digitCount += 1
      if digitCount % 4 == 0 {
        for shift in [16, 8, 0] as [UInt32] {
          bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
      }
    }
    switch digitCount % 4 {
    case 1: return nil
    case 2:
      if strict && bits & 0xF != 0 { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
      if strict && bits & 0x3 != 0 { return nil }
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: break
    }
    let wanted = (4 - digitCount % 4) % 4
    guard paddingCount == wanted || (paddingCount == 0 && !strict) else { return nil }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5A: byte - 0x41
    case 0x61...0x7A: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  private static let standardDigits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlDigits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
