/// The handling of character references and tags in short pieces of HTML, without a parser.
enum HTMLFragment {
  /// The maximum length of a reference in bytes, without `&` and the semicolon. The longest name in
  /// HTML 4 is `thetasym`. The longest number without leading zeros is `#x10FFFF`.
  private static let referenceBytesMax = 10

  static func unescaped(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "&"), let (scalar, length) = reference(text, at: index) {
        output.append(contentsOf: Character(scalar).utf8)
        index += length
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return output
  }

  static func escaped(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count + text.count / 8)
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
      default: output.append(byte)
      }
    }
    return output
  }

  /// Returns the character of the reference at `index`, and the reference's length with `&` and the
  /// semicolon; nil if there is no known reference.
  private static func reference(
    _ text: UnsafeRawBufferPointer, at index: Int
  ) -> (Unicode.Scalar, Int)? {
    let window = text[(index + 1)...].prefix(referenceBytesMax + 1)
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let whole = UnsafeRawBufferPointer(rebasing: text[index...end])
    return CharacterReference.whole(whole).map { scalar in
      // No text has a NUL (HTML standard, numeric character reference end state).
      (scalar == "\0" ? "\u{FFFD}" : scalar, whole.count)
    }
  }

  /// Returns the text outside tags and comments. Scripts and styles are dropped with their content.
  /// A tag that separates words on the page becomes a space.
  static func withoutTags(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var tags = HTMLTagScanner(text)
    while let index = tags.nextTextByte(separator: { output.append(0x20) }) {
      output.append(text[index])
    }
    return output
  }
}
