/// A pattern for names. `*` matches any text, and every other character matches itself. The case of
/// ASCII letters does not matter.
package struct NamePattern: Hashable, Sendable {
  /// The texts between the stars of the pattern, in lower case.
  private let parts: [[UInt8]]

  package init(_ text: String) {
    let bytes = text.utf8.map(Self.lowercased)
    parts = bytes.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// Returns the pattern of all names that contain a text. A text with a star is used as a pattern.
  package static func containing(_ text: String) -> NamePattern {
    NamePattern(text.utf8.contains(UInt8(ascii: "*")) ? text : "*\(text)*")
  }

  /// Whether the whole name matches the pattern.
  package func matches(_ name: String) -> Bool {
    var rest = name.utf8.map(Self.lowercased)[...]
    guard let first = parts.first, rest.starts(with: first) else { return false }
    if parts.count == 1 { return rest.count == first.count }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let end = Self.end(of: part, in: rest) else { return false }
      rest = rest[end...]
    }
    guard let last = parts.last else { return true }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// Returns the index after the first occurrence of a part; nil if there is none. The first
  /// occurrence leaves the most bytes for the other parts.
  private static func end(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let head = part.first else { return bytes.startIndex }
    var rest = bytes
    while let place = rest.firstIndex(of: head) {
      let tail = rest[place...]
      if tail.count < part.count { return nil }
      if tail.starts(with: part) { return place + part.count }
      rest = rest[(place + 1)...]
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
