/// The escaping of text for HTML, both between tags and in quoted attributes.
///
/// Some characters that would be invisible or would reorder the line become visible. An ASCII
/// control character, except a tab or a line feed, becomes its picture (U+2400 and following). A C1
/// control, a bidirectional control or a byte order mark becomes text such as `⟨U+202E⟩`. Without
/// this, a title could show an address that is not the address of its link (Trojan Source,
/// CVE-2021-42574).
enum TextEscape {
  static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var rest = utf8[...]
      while let index = rest.firstIndex(where: isSpecial) {
        bytes.append(contentsOf: rest[..<index])
        rest = rest[index...]
        rest = rest.dropFirst(replace(rest, &bytes))
      }
      bytes.append(contentsOf: rest)
    }
  }

  /// Whether a character that begins with the byte may need an escape. In UTF-8, C2 begins the C1
  /// controls, D8 begins U+061C, E2 begins U+200E to U+2069, and EF begins U+FEFF.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: true
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }

  /// Appends the first character of `rest`, or its replacement. Returns the length of the first
  /// character in bytes.
  private static func replace(
    _ rest: Slice<UnsafeBufferPointer<UInt8>>, _ bytes: inout [UInt8]
  ) -> Int {
    guard let first = rest.first else { return 0 }
    if let entity = entity(first) {
      bytes.append(contentsOf: entity.utf8)
      return 1
    }
    if first < 0x20 || first == 0x7F {
      let picture: UInt32 = first == 0x7F ? 0x2421 : 0x2400 + UInt32(first)
      if let scalar = Unicode.Scalar(picture) { append(scalar, &bytes) }
      return 1
    }
    let length = first < 0xE0 ? 2 : 3
    let character = rest.prefix(length)
    guard let scalar = String(decoding: character, as: UTF8.self).unicodeScalars.first,
      isHidden(scalar)
    else {
      bytes.append(contentsOf: character)
      return character.count
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let number = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    bytes.append(contentsOf: "⟨U+\(number)⟩".utf8)
    return character.count
  }

  private static func entity(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }

  /// Whether the character is a C1 control, a bidirectional control, or a byte order mark.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func append(_ scalar: Unicode.Scalar, _ bytes: inout [UInt8]) {
    bytes.append(contentsOf: String(scalar).utf8)
  }
}
