/// The conversion of JSON text for printing. C1 controls and bidirectional marks, which could
/// affect a terminal, become `\u` escapes. The converted text has the same JSON value.
///
/// The output of commands, the JSON lines of the daemon's log, and the API's JSON answers and
/// events are converted. Text that is stored or hashed stays as `JSONWriter` writes it.
package enum ShownJSON {
  /// Returns JSON text in the form for printing.
  ///
  /// - Parameter json: JSON text. All bytes outside its strings are ASCII, so characters are
  ///   replaced only inside strings.
  package static func text(_ json: String) -> String {
    var json = json
    let shown = json.withUTF8 { escaped($0) }
    return shown.map { String(decoding: $0, as: UTF8.self) } ?? json
  }

  /// Appends JSON text in UTF-8 in the form for printing: see `text`.
  package static func append(_ json: [UInt8], to output: inout [UInt8]) {
    json.withUnsafeBufferPointer { text in
      if let shown = escaped(text) { output += shown } else { output += text }
    }
  }

  /// Returns the escaped text; nil if no character needs an escape.
  private static func escaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    let bytes = UnsafeRawBufferPointer(text)
    while place < text.count {
      // ASCII characters need no escape.
      if place + 8 <= text.count,
        bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        place += 8
        continue
      }
      guard let (scalar, width) = mark(in: text, at: place) else {
        place += 1
        continue
      }
      result += text[copied..<place]
      result += "\\u".utf8
      Hexadecimal.append(UInt8(truncatingIfNeeded: scalar >> 8), to: &result)
      Hexadecimal.append(UInt8(truncatingIfNeeded: scalar), to: &result)
      place += width
      copied = place
    }
    return copied == 0 ? nil : result + text[copied...]
  }

  /// Returns the character at an index if it needs an escape, with the number of its bytes;
  /// otherwise nil.
  private static func mark(
    in text: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (scalar: UInt16, width: Int)? {
    func byte(_ offset: Int) -> UInt16 {
      place + offset < text.count ? UInt16(text[place + offset]) : 0
    }
    switch text[place] {
    case 0xC2 where 0x80...0x9F ~= byte(1): return (byte(1), 2)
    case 0xD8 where byte(1) == 0x9C: return (0x061C, 2)
    case 0xE2:
      let scalar = 0x2000 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F)
      switch scalar {
      case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return (scalar, 3)
      default: return nil
      }
    default: return nil
    }
  }
}
