/// The parser for numbers with units: `1h30m`, `1.5GB`.
package enum UnitText {
  package struct Piece {
    package var whole: Int64
    /// The fraction of the number, in millionths.
    package var millionths: Int64
    package var unit: String
  }

  /// Splits a text into numbers, each with the letters of its unit. A unit may be missing. Spaces
  /// are allowed around numbers and units. Returns nil for an empty text and for any other form.
  /// Also returns nil for a number with more than twelve digits before the point, or more than six
  /// after it.
  package static func pieces(_ text: String) -> [Piece]? {
    var rest = Array(text.utf8)[...]
    var pieces: [Piece] = []
    skipSpaces(&rest)
    while !rest.isEmpty {
      guard let whole = number(&rest, digitsMax: 12) else { return nil }
      var millionths: Int64 = 0
      if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        guard let value = fraction(&rest) else { return nil }
        millionths = value
      }
      skipSpaces(&rest)
      let unit = rest.prefix(while: ByteSet.letters.contains)
      rest = rest[unit.endIndex...]
      skipSpaces(&rest)
      pieces.append(
        Piece(whole: whole, millionths: millionths, unit: String(decoding: unit, as: UTF8.self)))
    }
    return pieces.isEmpty ? nil : pieces
  }

  private static func skipSpaces(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digitsMax: Int) -> Int64? {
    let digits = rest.prefix(while: ByteSet.digits.contains)
    guard (1...digitsMax).contains(digits.count) else { return nil }
    rest = rest[digits.endIndex...]
    return digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    let start = rest.startIndex
    guard var value = number(&rest, digitsMax: 6) else { return nil }
    for _ in (rest.startIndex - start)..<6 { value *= 10 }
    return value
  }
}

/// The reason why a text is not a duration or a size.
package struct UnitTextError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}
