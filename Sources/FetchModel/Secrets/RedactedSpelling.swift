import FetchValues

/// A way in which a text can spell the bytes of a secret.
enum RedactedSpelling: CaseIterable {
  case plain
  /// The bytes are percent-encoded: any byte as `%XX`, a space as `+` (RFC 3986, HTML forms).
  case percent
  /// The bytes are percent-encoded twice: `%252F` for a slash.
  case percentTwice
  /// The bytes are escaped as in JSON: `\"`, `\/`, `\n`, `\u00e9` (RFC 8259 section 7).
  case json
  /// The bytes are escaped as in HTML: `&amp;`, `&#39;`, `&#x27;`.
  case html

  /// The result of comparing a secret with the text at one place.
  enum Match {
    case none
    /// The text contains the whole secret, which ends at `end`.
    case whole(end: Int)
    /// The text ends, or has an ellipsis, after the first `count` bytes of the secret.
    case cut(count: Int, end: Int)
  }

  func match(_ secret: [UInt8], in text: UnsafeRawBufferPointer, at start: Int) -> Match {
    var matched = 0
    var place = start
    while matched < secret.count {
      guard place < text.count else { return .cut(count: matched, end: place) }
      if let escape = escape(in: text, at: place) {
        guard escape.isNext(in: secret, at: matched) else {
          return Self.isEllipsis(text, place) ? .cut(count: matched, end: place) : .none
        }
        matched += escape.bytes.count
        place += escape.width
      } else if text[place] == secret[matched] {
        matched += 1
        place += 1
      } else {
        return Self.isEllipsis(text, place) ? .cut(count: matched, end: place) : .none
      }
    }
    return .whole(end: place)
  }

  private static func isEllipsis(_ text: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    let rest = text[place...]
    return rest.starts(with: "...".utf8) || rest.starts(with: "…".utf8)
  }

  // MARK: Escapes

  private func escape(in text: UnsafeRawBufferPointer, at place: Int) -> WrittenEscape? {
    let byte = text[place]
    switch self {
    case .plain: return nil
    case .percent where byte == UInt8(ascii: "%"):
      guard let value = Self.number(text, place + 1, digits: 2) else { return nil }
      return WrittenEscape(byte: UInt8(truncatingIfNeeded: value), width: 3)
    case .percentTwice where byte == UInt8(ascii: "%"): return Self.escapeOfEscape(text, place)
    case .percent where byte == UInt8(ascii: "+"), .percentTwice where byte == UInt8(ascii: "+"):
      return .plus
    case .json where byte == UInt8(ascii: "\\"): return Self.jsonEscape(text, place)
    case .html where byte == UInt8(ascii: "&"): return Self.reference(text, place)
    default: return nil
    }
  }

  /// Decodes one escape of a text that was encoded twice: `%252F`, `%2F` for a byte that the first
  /// encoding left unchanged, or `%2B` for a `+` of the first encoding.
  private static func escapeOfEscape(
    _ text: UnsafeRawBufferPointer, _ place: Int
  ) -> WrittenEscape? {
    guard let outer = number(text, place + 1, digits: 2) else { return nil }
    if outer == UInt32(UInt8(ascii: "%")), let inner = number(text, place + 3, digits: 2) {
      return WrittenEscape(byte: UInt8(truncatingIfNeeded: inner), width: 5)
    }
    if outer == UInt32(UInt8(ascii: "+")) { return .plus(width: 3) }
    return WrittenEscape(byte: UInt8(truncatingIfNeeded: outer), width: 3)
  }

  private static func number(
    _ text: UnsafeRawBufferPointer, _ start: Int, digits count: Int, radix: UInt32 = 16
  ) -> UInt32? {
    guard start + count <= text.count, count > 0 else { return nil }
    var value: UInt32 = 0
    for place in start..<start + count {
      guard let digit = text[place].hexDigitValue, UInt32(digit) < radix else { return nil }
      value = value &* radix &+ UInt32(digit)
    }
    return value
  }

  private static let jsonLetters: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt8(ascii: "/"),
  ]

  private static func jsonEscape(
    _ text: UnsafeRawBufferPointer, _ place: Int
  ) -> WrittenEscape? {
    guard place + 1 < text.count else { return nil }
    let letter = text[place + 1]
    if let byte = jsonLetters[letter] { return WrittenEscape(byte: byte, width: 2) }
    guard letter == UInt8(ascii: "u"), let unit = number(text, place + 2, digits: 4) else {
      return nil
    }
    let isHigh = (0xD800...0xDBFF).contains(unit)
    guard isHigh else { return WrittenEscape(scalar: unit, width: 6) }
    let hasSecond = place + 8 <= text.count && text[(place + 6)...].starts(with: "\\u".utf8)
    guard hasSecond, let low = number(text, place + 8, digits: 4),
      (0xDC00...0xDFFF).contains(low)
    else { return nil }
    return WrittenEscape(scalar: 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), width: 12)
  }

  private static let references: [(text: String, byte: UInt8)] = [
    ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
    ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
  ]

  private static func reference(
    _ text: UnsafeRawBufferPointer, _ place: Int
  ) -> WrittenEscape? {
    for reference in references where text[place...].starts(with: reference.text.utf8) {
      return WrittenEscape(byte: reference.byte, width: reference.text.utf8.count)
    }
    let digitsMax = 6
    guard text[place...].starts(with: "&#".utf8) else { return nil }
    let isHexadecimal = text[(place + 2)...].first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let start = place + (isHexadecimal ? 3 : 2)
    let digits = text[min(start, text.count)...].prefix(digitsMax + 1)
      .prefix { $0 != UInt8(ascii: ";") }
    let end = start + digits.count
    guard digits.count <= digitsMax, end < text.count, text[end] == UInt8(ascii: ";"),
      let scalar = number(text, start, digits: digits.count, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return WrittenEscape(scalar: scalar, width: end + 1 - place)
  }
}

/// One escape in a text: the bytes that it represents, and its length in the text.
struct WrittenEscape {
  let bytes: [UInt8]
  let width: Int
  /// Whether the escape is a `+`, which is a space in forms and a plus sign in other texts.
  private var isPlus = false

  init(byte: UInt8, width: Int) {
    bytes = [byte]
    self.width = width
  }

  /// Creates the escape of a Unicode character; nil for an invalid code point.
  init?(scalar: UInt32, width: Int) {
    guard let scalar = Unicode.Scalar(scalar) else { return nil }
    bytes = Array(String(scalar).utf8)
    self.width = width
  }

  static let plus = plus(width: 1)

  static func plus(width: Int) -> WrittenEscape {
    var plus = WrittenEscape(byte: UInt8(ascii: "+"), width: width)
    plus.isPlus = true
    return plus
  }

  /// Whether the secret has the escape's bytes at `place`. A `+` also stands for a space.
  func isNext(in secret: [UInt8], at place: Int) -> Bool {
    if isPlus, secret[place] == UInt8(ascii: " ") { return true }
    return secret[place...].starts(with: bytes)
  }
}

/// A fast check of whether a spelling of a secret can begin at a place in a text.
struct RedactedStarts: Sendable {
  /// A bit for each pair of bytes, set if a secret can begin with the pair. Beginnings with an
  /// escape are not included: see `hasValue`. The first byte is the high byte of the bit's index.
  /// Without secrets, the list is empty to save memory.
  private var pairs: [UInt64] = []
  private static let wordCount = 1 << 10
  /// Whether a secret's value was added. If so, a text may spell the first byte of the value with
  /// any escape.
  private var hasValue = false

  /// Whether a secret can begin at the place. The result is false for the last byte of a text,
  /// because no secret has only one byte.
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
