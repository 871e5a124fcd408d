/// The pairs of adjacent bytes that identify a text's language, with their counts.
struct BytePairs {
  /// The maximum distance, in bytes, between an ASCII letter and a byte beyond ASCII. Within this
  /// distance, pairs with the letter are counted, unless `<` or `>` is in between.
  private static let reachBytesMax = 48

  /// The counts of pairs with at least one byte beyond ASCII.
  private(set) var counts: [UInt16: Int] = [:]
  /// The counts of pairs of ASCII bytes that contain a letter and are near a byte beyond ASCII.
  private(set) var asciiCounts: [UInt16: Int] = [:]
  /// Whether two bytes beyond ASCII are adjacent.
  private(set) var hasRuns = false

  init(_ bytes: UnsafeRawBufferPointer, bytesMax: Int) {
    var before: UInt8 = 0x20
    var left = bytesMax
    // `counted` is the place after the last counted pair. `pieceStart` is the place of the last `<`
    // or `>`. `reachEnd` limits the ASCII that is counted after a byte beyond ASCII.
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

  /// Returns the cost, in half bits, of a pair of ASCII bytes that has no cost in a language model.
  static func cost(_ pair: UInt16) -> Int { ASCII.isLetter(UInt8(pair & 0xFF)) ? 11 : 5 }

  /// The cost of the pairs in `asciiCounts`, in half bits, at half weight.
  var asciiCost: Int { asciiCounts.reduce(0) { $0 + $1.value * Self.cost($1.key) } / 2 }
}
