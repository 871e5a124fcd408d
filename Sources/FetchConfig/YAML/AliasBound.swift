/// Keeps YAML's aliases from being a bomb: a few nested ones could unfold to more than any memory.
enum AliasBound {
  /// Copies that aliases may unfold to, in the worst case of where they stand.
  static let copiesMax = 10_000.0

  /// What is wrong; nil for a text that is harmless wherever its aliases stand.
  ///
  /// The tokens are counted by how they look, inside quotes too, so rather too many. An anchor can
  /// hold aliases of earlier ones only: k anchors, one in the other, that share A aliases evenly
  /// unfold to (A / k) ^ k copies, and no other way of placing them gives more.
  static func problem(in text: String) -> String? {
    let anchors = count(UInt8(ascii: "&"), in: text)
    guard anchors > 0 else { return nil }
    let aliases = count(UInt8(ascii: "*"), in: text)
    let isSafe = (1...anchors).allSatisfy { depth in
      depth == 1 || depth > aliases || power(Double(aliases) / Double(depth), depth) <= copiesMax
    }
    if isSafe { return nil }
    return "\(anchors) anchors (&) and \(aliases) aliases (*) could unfold without end;"
      + " write some of them out, or put what they share into defaults"
  }

  /// Stops where it is too much.
  private static func power(_ number: Double, _ exponent: Int) -> Double {
    var product = 1.0
    for _ in 0..<exponent where product <= copiesMax { product *= number }
    return product
  }

  /// How often the mark stands before a name and at the beginning of a word.
  private static func count(_ mark: UInt8, in text: String) -> Int {
    var count = 0
    var before = UInt8(ascii: " ")
    var isOpen = false
    for byte in text.utf8 {
      if isOpen, isNameByte(byte) { count += 1 }
      isOpen = byte == mark && beginnings.contains(before)
      before = byte
    }
    return count
  }

  private static let beginnings = Set(" \t\n\r[{,:-?!\u{85}\u{A0}".utf8)

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
