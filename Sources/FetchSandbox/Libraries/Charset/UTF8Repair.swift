import FetchValues

/// The check of bytes for valid UTF-8, and the repair of invalid bytes.
enum UTF8Repair {
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    UTF8Check.firstInvalid(in: bytes) == nil
  }

  /// Returns the bytes with each maximal part of an ill-formed sequence replaced by U+FFFD, as the
  /// Encoding Standard requires.
  static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    isValid(bytes) ? Array(bytes) : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  /// The counts of valid and invalid UTF-8 sequences with a byte beyond ASCII.
  struct Census {
    var validCount = 0
    /// The cost of the valid sequences as text, in half bits, as in `LetterModel`.
    var validCost = 0
    /// The number of invalid sequences. An invalid sequence is one byte with up to three
    /// continuation bytes that follow.
    var faultCount = 0
    /// The number of damaged places. A damaged place is a group of invalid sequences that begin
    /// within four bytes, without ASCII bytes between them. The group counts as one place, because
    /// one wrong byte can cause several invalid sequences.
    var damageCount = 0
  }

  private static let damageBytesMax = 4

  /// Returns the cost of a sequence by its first byte. Among sequences of two bytes, the cost is
  /// low for common scripts, and high for phonetic letters and rare scripts.
  private static func cost(_ lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xC5, 0xCE...0xD3, 0xD7...0xDB: 16
    case 0xE0...0xF4: 26
    default: 80
    }
  }

  static func census(_ bytes: UnsafeRawBufferPointer) -> Census {
    var census = Census()
    var index = 0
    var damageEnd = -1
    while true {
      index = UTF8Check.firstBeyondASCII(in: bytes, from: index)
      guard index < bytes.count else { return census }
      let start = index
      let length = UTF8Check.sequenceLength(in: bytes, at: index, lead: bytes[index])
      if length > 0 {
        census.validCount += 1
        census.validCost += cost(bytes[index])
        index += length
        continue
      }
      repeat {
        index += 1
      } while index < bytes.count && bytes[index] & 0xC0 == 0x80
        && index - start < damageBytesMax
      census.faultCount += 1
      if start >= damageEnd || bytes[start - 1] < 0x80 {
        census.damageCount += 1
        damageEnd = start + damageBytesMax
      }
    }
  }

  /// The characters of windows-1252 from 0x80 to 0x9F. HTML also reads `&#128;` to `&#159;` as
  /// these characters.
  static let upperControls: [Unicode.Scalar] = Array(
    ("\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}"
      + "\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}"
      + "\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}"
      + "\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}").unicodeScalars)
}
