/// The check of bytes for valid UTF-8, and the repair of invalid bytes.
enum UTF8Repair {
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    firstFault(bytes, from: 0) == bytes.count
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
    while index < bytes.count {
      if index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
        continue
      }
      if bytes[index] < 0x80 {
        index += 1
        continue
      }
      let start = index
      let length = sequenceLength(bytes, at: index)
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
    return census
  }

  /// Returns the place of the first invalid sequence at or after `start`, or the number of bytes if
  /// there is none.
  static func firstFault(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    let count = bytes.count
    while index < count {
      while index + 8 <= count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      guard index < count else { break }
      let byte = bytes[index]
      if byte < 0x80 {
        index += 1
        continue
      }
      let length = sequenceLength(bytes, at: index)
      guard length > 0 else { return index }
      index += length
    }
    return count
  }

  /// Returns the length of the multi-byte sequence at `index`; 0 if the sequence is invalid
  /// (Unicode table 3-7).
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    func next(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
    func continues(_ offset: Int) -> Bool { next(offset) & 0xC0 == 0x80 }
    switch bytes[index] {
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return (0xA0...0xBF).contains(next(1)) && continues(2) ? 3 : 0
    case 0xED: return (0x80...0x9F).contains(next(1)) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return (0x90...0xBF).contains(next(1)) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return (0x80...0x8F).contains(next(1)) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    default: return 0
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
