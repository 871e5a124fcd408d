/// Functions for ASCII bytes, and for ASCII words in bytes.
enum ASCII {
  /// Returns the first place of the word at or after `start`; nil if the word does not occur there.
  static func find(
    _ word: StaticString, in text: UnsafeRawBufferPointer, from start: Int, caseless: Bool = false
  ) -> Int? {
    let length = word.utf8CodeUnitCount
    guard length > 0, start >= 0, text.count - start >= length else { return nil }
    for index in start...(text.count - length)
    where matches(word, in: text, at: index, caseless: caseless) {
      return index
    }
    return nil
  }

  /// Whether the word is at the given place. With `caseless`, case is ignored, and `word` must be
  /// in lower case.
  static func matches(
    _ word: StaticString, in text: UnsafeRawBufferPointer, at index: Int, caseless: Bool = false
  ) -> Bool {
    let length = word.utf8CodeUnitCount
    guard index >= 0, text.count - index >= length else { return false }
    for offset in 0..<length {
      let byte = text[index + offset]
      let wanted = word.utf8Start[offset]
      if byte != wanted, !caseless || lowered(byte) != wanted { return false }
    }
    return true
  }

  /// Whether the text contains the word. Compares bytes, because Swift's search by characters takes
  /// microseconds.
  static func contains(_ word: StaticString, in text: String) -> Bool {
    var text = text
    return text.withUTF8 { find(word, in: UnsafeRawBufferPointer($0), from: 0) != nil }
  }

  static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || byte == 0x0C
  }
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func skipBlanks(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index < text.count, isBlank(text[index]) { index += 1 }
    return index
  }
}
