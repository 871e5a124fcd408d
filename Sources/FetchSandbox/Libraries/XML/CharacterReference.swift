import XMLLibrary

/// The reader of HTML's character references (`&…;`).
enum CharacterReference {
  /// Reads the number after `&#`. Returns the character and the place after the reference; nil if
  /// there is no number. The closing semicolon may be missing. Numbers 128 to 159 mean characters
  /// of windows-1252 (HTML standard, numeric character reference end state).
  static func numeric(
    _ text: UnsafeRawBufferPointer, from start: Int, to end: Int
  ) -> (scalar: Unicode.Scalar, after: Int)? {
    guard start < end else { return nil }
    let isHex = text[start] | 0x20 == UInt8(ascii: "x")
    var index = isHex ? start + 1 : start
    let first = index
    var value: UInt32 = 0
    while index < end, let digit = digit(text[index], isHex: isHex) {
      value = min(value &* (isHex ? 16 : 10) &+ digit, 0x11_0000)
      index += 1
    }
    guard index > first else { return nil }
    if index < end, text[index] == UInt8(ascii: ";") { index += 1 }
    if (0x80..<0xA0).contains(value) {
      return (UTF8Repair.upperControls[Int(value - 0x80)], index)
    }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", index)
  }

  /// Replaces numeric references such as `&#150;`, which some parsers read as control characters.
  /// The HTML standard reads them as characters of windows-1252, so `&#150;` becomes `&#8211;`.
  /// Returns nil if nothing was replaced.
  static func withoutControls(_ html: UnsafeRawBufferPointer) -> [UInt8]? {
    var output: [UInt8] = []
    var copied = 0
    var index = 0
    while let at = ASCII.find("&#", in: html, from: index) {
      index = at + 2
      // A number from 128 to 159 is within these bytes, even with a few leading zeros.
      let end = min(html.count, index + 12)
      guard let (scalar, after) = numeric(html, from: index, to: end) else { continue }
      index = after
      guard UTF8Repair.upperControls.contains(scalar) else { continue }
      output += html[copied..<at]
      output += "&#\(scalar.value);".utf8
      copied = after
    }
    guard copied > 0 else { return nil }
    return output + html[copied...]
  }

  private static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
    if byte &- 0x30 < 10 { return UInt32(byte &- 0x30) }
    guard isHex, (byte | 0x20) &- 0x61 < 6 else { return nil }
    return UInt32((byte | 0x20) &- 0x61 &+ 10)
  }

  /// Returns the character of `apos` or of an HTML 4 entity in libxml2's table; nil for other
  /// names.
  static func named(_ name: [UInt8]) -> Unicode.Scalar? {
    if name == Array("apos".utf8) { return "'" }
    return (name + [0]).withUnsafeBufferPointer { name in
      guard let entity = htmlEntityLookup(name.baseAddress) else { return nil }
      return Unicode.Scalar(entity.pointee.value)
    }
  }

  /// Returns the character for a text that consists of exactly one known reference; nil for any
  /// other text.
  static func whole(_ text: UnsafeRawBufferPointer) -> Unicode.Scalar? {
    guard text.count >= 3, text[0] == UInt8(ascii: "&") else { return nil }
    if text[1] == UInt8(ascii: "#") {
      guard let (scalar, after) = numeric(text, from: 2, to: text.count), after == text.count
      else { return nil }
      return scalar
    }
    guard text.last == UInt8(ascii: ";") else { return nil }
    return named(Array(text[1..<text.count - 1]))
  }
}
