extension JSONScanner {
  /// A number as its sign and `digits` × 10^`exponent`. If there are more than `digitCountMax`
  /// digits, `digits` may have overflowed and must not be used.
  private struct Decimal {
    var digits: UInt64 = 0
    /// The number of digits without leading zeros.
    var digitCount = 0
    var exponent = 0
    var isNegative = false
    var isWhole = true

    /// The maximum number of digits. Nineteen digits always fit into 64 bits.
    static let digitCountMax = 19

    mutating func take(_ digit: UInt8) {
      digits = digits &* 10 &+ UInt64(digit)
      if digit != 0 || digitCount != 0 { digitCount &+= 1 }
    }
  }

  mutating func scanNumber() throws(Fault) {
    let start = cursor
    var decimal = Decimal()
    if text[cursor] == UInt8(ascii: "-") {
      decimal.isNegative = true
      cursor &+= 1
    }
    try scanWholePart(&decimal)
    try scanFraction(&decimal)
    try scanExponent(&decimal)

    reserve(9)
    if decimal.isWhole, let integer = integer(decimal) {
      put(integer: integer)
      return
    }
    let number = fastDouble(decimal) ?? slowDouble(start..<cursor)
    guard number.isFinite else { throw fault(.numberTooLarge, at: start) }
    put(ValueTag.number)
    put(number.bitPattern)
  }

  private mutating func put(integer: Int64) {
    if let small = Int8(exactly: integer) {
      put(ValueTag.smallInteger)
      put(UInt8(bitPattern: small))
    } else {
      put(ValueTag.integer)
      put(integer)
    }
  }

  @inline(__always)
  private func digit(at offset: Int) -> UInt8? {
    guard offset < text.count else { return nil }
    let value = text[offset] &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }

  private mutating func scanWholePart(_ decimal: inout Decimal) throws(Fault) {
    guard let first = digit(at: cursor) else { throw fault(.digitExpected) }
    cursor &+= 1
    decimal.take(first)
    guard first != 0 else {
      if digit(at: cursor) != nil { throw fault(.leadingZero) }
      return
    }
    while let next = digit(at: cursor) {
      decimal.take(next)
      cursor &+= 1
    }
  }

  private mutating func scanFraction(_ decimal: inout Decimal) throws(Fault) {
    guard cursor < text.count, text[cursor] == UInt8(ascii: ".") else { return }
    decimal.isWhole = false
    cursor &+= 1
    let start = cursor
    while let next = digit(at: cursor) {
      decimal.take(next)
      cursor &+= 1
    }
    guard cursor > start else { throw fault(.digitExpected) }
    decimal.exponent = start &- cursor
  }

  private mutating func scanExponent(_ decimal: inout Decimal) throws(Fault) {
    guard cursor < text.count, text[cursor] | 0x20 == UInt8(ascii: "e") else { return }
    decimal.isWhole = false
    cursor &+= 1
    var isNegative = false
    if cursor < text.count, text[cursor] == UInt8(ascii: "-") || text[cursor] == UInt8(ascii: "+") {
      isNegative = text[cursor] == UInt8(ascii: "-")
      cursor &+= 1
    }
    guard digit(at: cursor) != nil else { throw fault(.digitExpected) }
    var exponent = 0
    while let next = digit(at: cursor) {
      // Further digits are ignored, so that the exponent cannot overflow. At this size, the other
      // digits of the number no longer matter: the number is zero or too large.
      if exponent < 1 << 56 { exponent = exponent &* 10 &+ Int(next) }
      cursor &+= 1
    }
    decimal.exponent &+= isNegative ? 0 &- exponent : exponent
  }

  /// Returns the exact integer; nil for numbers outside the range of `Int64` and for `-0`, which
  /// only a double can distinguish from 0.
  private func integer(_ decimal: Decimal) -> Int64? {
    guard decimal.digitCount <= Decimal.digitCountMax else { return nil }
    guard decimal.isNegative else { return Int64(exactly: decimal.digits) }
    if decimal.digits == 0 { return nil }
    if decimal.digits == Int64.min.magnitude { return .min }
    return Int64(exactly: decimal.digits).map { 0 &- $0 }
  }

  /// Returns a double by Clinger's fast path; nil if the path does not apply. Both the digits and
  /// the power of ten are exact doubles, so a single operation rounds once and correctly.
  private func fastDouble(_ decimal: Decimal) -> Double? {
    guard decimal.digitCount <= Decimal.digitCountMax, decimal.digits < 1 << 53,
      abs(decimal.exponent) < Self.exactPowersOfTen.count
    else { return nil }
    let magnitude = Double(decimal.digits)
    let number =
      decimal.exponent < 0
      ? magnitude / Self.exactPowersOfTen[0 &- decimal.exponent]
      : magnitude * Self.exactPowersOfTen[decimal.exponent]
    return decimal.isNegative ? -number : number
  }

  private static let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the double that the standard library computes with correct rounding. The result is
  /// infinite beyond the range of doubles.
  private func slowDouble(_ range: Range<Int>) -> Double {
    let digits = UnsafeRawBufferPointer(rebasing: text[range])
    return Double(String(decoding: digits, as: UTF8.self)) ?? .infinity
  }
}
