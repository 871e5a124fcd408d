/// The conversion of bytes to lower-case hexadecimal digits, and back.
package enum Hexadecimal {
  package static func text(of bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count &* 2)
    for byte in bytes { append(byte, to: &digits) }
    return String(decoding: digits, as: UTF8.self)
  }

  package static func append(_ byte: UInt8, to digits: inout [UInt8]) {
    digits.append(digit(byte >> 4))
    digits.append(digit(byte & 15))
  }

  /// Decodes hexadecimal digits; nil unless the number of digits is even and there are no other
  /// characters.
  package static func bytes(of digits: [UInt8]) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ (value &- 10)
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
