/// The pairs of bytes with which a spelling of a secret can begin. Most places in a text have no
/// such pair, so they are skipped immediately.
struct RedactedStarts: Sendable {
  /// A bit for each pair of bytes. The first byte is the high byte of the bit's index. The list is
  /// empty without secrets, because each request has a redactor, and most requests have no secret.
  private var pairs: [UInt64] = []
  private static let wordCount = 1 << 10
  /// Whether a secret's value was added. The first byte of the value may be written as an escape in
  /// a text.
  private var hasValue = false

  /// Whether a secret can begin at the place. The last byte of a text has no pair, but no secret
  /// has only one byte.
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
