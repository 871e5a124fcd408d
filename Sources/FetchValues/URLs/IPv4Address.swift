/// An IPv4 address in its only unambiguous form: four decimal numbers without leading zeros. The
/// octal, hexadecimal and short forms that some resolvers accept are rejected, because they hide
/// the target of a request.
package struct IPv4Address: Equatable, Sendable {
  package var bits: UInt32 = 0

  package init?(_ text: some Sequence<UInt8>) {
    let numbers = Array(text).split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard numbers.count == 4 else { return nil }
    for number in numbers {
      guard (1...3).contains(number.count), number.allSatisfy(ByteSet.digits.contains),
        number.count == 1 || number.first != UInt8(ascii: "0")
      else { return nil }
      let value = number.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
      guard value <= 255 else { return nil }
      bits = bits << 8 | value
    }
  }
}
