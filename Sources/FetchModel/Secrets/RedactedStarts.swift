/// The pairs of bytes with which a spelling of a secret can begin. Most places of a text have none
/// and are skipped immediately.
struct RedactedStarts: Sendable {
  /// A bit for each pair, the first byte high. Empty without secrets: each request has a redactor,
  /// and most know no secret.
  private var pairs: [UInt64] = []
  private static let wordCount = 1 << 10
  /// Whether a value is known, which may begin with an escape.
  private var hasValue = false

  /// Whether a secret can begin there. The last byte has no pair, but no secret is that
  /// short.
  func canBegin(_ text: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    guard place + 1 < text.count else { return false }
    if hasValue, Self.isEscape(text[place]) { return true }
    return has(text[place], text[place + 1])
  }

  /// Whether a byte begins an escape of `RedactedSpelling`.
  static func isEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "&"): true
    default: false
    }
  }

  mutating func add(value: [UInt8]) {
    guard value.count > 1 else { return }
    hasValue = true
    insert(value[0], value[1])
    for byte in UInt8.min ... .max where Self.isEscape(byte) { insert(value[0], byte) }
  }

  mutating func add(digits: [UInt8]) {
    if digits.count > 1 { insert(digits[0], digits[1]) }
  }

  mutating func add(_ other: RedactedStarts) {
    if !other.pairs.isEmpty { makeRoom() }
    for index in other.pairs.indices { pairs[index] |= other.pairs[index] }
    hasValue = hasValue || other.hasValue
  }

  private mutating func makeRoom() {
    if pairs.isEmpty { pairs = [UInt64](repeating: 0, count: Self.wordCount) }
  }

  private func has(_ first: UInt8, _ second: UInt8) -> Bool {
    if pairs.isEmpty { return false }
    let pair = Int(first) << 8 | Int(second)
    return pairs[pair >> 6] >> UInt64(pair & 63) & 1 == 1
  }

  private mutating func insert(_ first: UInt8, _ second: UInt8) {
    makeRoom()
    let pair = Int(first) << 8 | Int(second)
    pairs[pair >> 6] |= 1 << UInt64(pair & 63)
  }
}
