/// The detection of alias bombs in YAML. A few nested aliases could expand to more text than fits
/// into memory.
enum AliasBound {
  /// The maximum number of copies to which aliases may expand, in the worst arrangement.
  static let copiesMax = 10_000.0

  /// Returns the problem with the aliases of a text; nil if the text is harmless in every
  /// arrangement of its aliases.
  ///
  /// The marks `&` and `*` are counted by their form, even inside quotes, so the count may be too
  /// high. An anchor can contain only aliases of earlier anchors. So k nested anchors that share A
  /// aliases evenly expand to (A / k) ^ k copies, and no other arrangement gives more.
  static func problem(in text: String) -> String? {
    let anchors = count(UInt8(ascii: "&"), in: text)
    guard anchors > 0 else { return nil }
    let aliases = count(UInt8(ascii: "*"), in: text)
    let isSafe = (1...anchors).allSatisfy { depth in
      depth == 1 || depth > aliases || power(Double(aliases) / Double(depth), depth) <= copiesMax
    }
    if isSafe { return nil }
    return "\(anchors) anchors (&) and \(aliases) aliases (*) could expand without limit;"
      + " replace some aliases by their values, or move shared values to `defaults`"
  }

  /// Returns `number` to the given power. The computation stops as soon as the result is too large.
  private static func power(_ number: Double, _ exponent: Int) -> Double {
    var product = 1.0
    for _ in 0..<exponent where product <= copiesMax { product *= number }
    return product
  }

  /// Returns how often the mark occurs at the beginning of a word and before a name.
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
