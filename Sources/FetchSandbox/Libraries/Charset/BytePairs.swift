/// The pairs of neighbouring bytes that tell of a text's language, and how often each occurs.
struct BytePairs {
  /// ASCII text this near to a byte beyond ASCII, and in the same piece of text between tags, is
  /// taken for the same language.
  private static let reachBytesMax = 48

  /// Pairs of which at least one is beyond ASCII.
  private(set) var counts: [UInt16: Int] = [:]
  /// Pairs of ASCII letters and borders of words near those.
  private(set) var asciiCounts: [UInt16: Int] = [:]
  /// Whether two bytes beyond ASCII stand side by side.
  private(set) var hasRuns = false

  init(_ bytes: UnsafeRawBufferPointer, bytesMax: Int) {
    var before: UInt8 = 0x20
    var left = bytesMax
    // Up to here ASCII is counted; from here on it may be.
    var (counted, pieceStart, reachEnd) = (1, 0, 0)
    for (index, byte) in bytes.enumerated() {
      if byte | before >= 0x80 {
        counts[UInt16(before) << 8 | UInt16(byte), default: 0] += 1
        if byte & before >= 0x80 { hasRuns = true }
        left -= 1
        if left == 0 { return }
        let start = max(counted, pieceStart + 1, index - Self.reachBytesMax)
        if start < index { for place in start..<index { countASCII(bytes, place) } }
        counted = index + 1
        reachEnd = index + Self.reachBytesMax
      } else if byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") {
        (pieceStart, reachEnd) = (index, index)
      } else if index < reachEnd, index >= counted {
        countASCII(bytes, index)
        counted = index + 1
      }
      before = byte
    }
    if before >= 0x80 { counts[UInt16(before) << 8 | 0x20, default: 0] += 1 }
  }

  /// The pairs beyond ASCII alone.
  var withoutASCII: BytePairs {
    var pairs = self
    pairs.asciiCounts = [:]
    return pairs
  }

  private mutating func countASCII(_ bytes: UnsafeRawBufferPointer, _ index: Int) {
    let (first, second) = (bytes[index - 1], bytes[index])
    guard first | second < 0x80, ASCII.isLetter(first) || ASCII.isLetter(second) else { return }
    asciiCounts[UInt16(first) << 8 | UInt16(second), default: 0] += 1
  }

  /// The cost of a pair of ASCII in a language that is not written with it, in the half bits of
  /// `LetterModel`: more than in one that is.
  static func cost(_ pair: UInt16) -> Int { ASCII.isLetter(UInt8(pair & 0xFF)) ? 11 : 5 }

  /// The cost of all ASCII near other bytes.
  var asciiCost: Int { asciiCounts.reduce(0) { $0 + $1.value * Self.cost($1.key) } / 2 }
}
