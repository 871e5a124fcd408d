/// A scanner for one tag of HTML or XML. It reads one byte at a time, and finds the tag's end and
/// its attributes (HTML standard, 13.2.5, from the tag name state on).
struct TagScanner {
  /// The bytes that the name of an attribute may have.
  enum Names: CaseIterable {
    /// Any byte, as in the HTML standard and in libxml2 since 2.14.
    case any
    /// Letters, digits and some marks, as in libxml2 before 2.14. A word with another byte is
    /// skipped up to the next blank, and a quote in it begins no value.
    case plain
  }

  private enum State: Equatable {
    case tagName, gap, name, afterName, beforeValue, value, skipped
    case quoted(UInt8)
  }

  /// The number of attributes that have begun.
  private(set) var attributeCount = 0
  private(set) var isAtEnd = false
  private let names: Names
  private var state = State.tagName

  init(names: Names = .any) { self.names = names }

  /// Whether a quoted value has begun and has not ended.
  var isQuoted: Bool { if case .quoted = state { true } else { false } }

  /// Reads the next byte. The first byte is the one after `<` or `</`.
  mutating func take(_ byte: UInt8) {
    switch state {
    case .quoted(let quote):
      if byte == quote { state = .gap }
    case _ where byte == UInt8(ascii: ">"):
      isAtEnd = true
    case .beforeValue where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
      state = .quoted(byte)
    case .beforeValue:
      if !ASCII.isBlank(byte) { state = .value }
    case .value, .skipped:
      // A slash or a quote is a part of a value without quotes.
      if ASCII.isBlank(byte) { state = .gap }
    case .tagName, .gap, .name, .afterName:
      takeOutsideValue(byte)
    }
  }

  private mutating func takeOutsideValue(_ byte: UInt8) {
    let isNamed = state == .name || state == .afterName
    if ASCII.isBlank(byte) {
      state = isNamed ? .afterName : .gap
    } else if isNamed, byte == UInt8(ascii: "=") {
      state = .beforeValue
    } else if names == .plain, !isPlain(byte) {
      state = .skipped
    } else if byte == UInt8(ascii: "/") {
      state = .gap
    } else if state == .gap || state == .afterName {
      attributeCount += 1
      state = .name
    }
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."): true
    // A digit or a hyphen cannot begin a name.
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      state == .tagName || state == .name
    default: ASCII.isLetter(byte)
    }
  }
}
