/// An IPv6 address as it is written between the brackets of a URL, without a zone.
package struct IPv6Address: Equatable, Sendable {
  package private(set) var groups: [UInt16] = []

  /// Creates an address from its 16-bit groups; nil unless there are eight groups.
  package init?(groups: [UInt16]) {
    guard groups.count == 8 else { return nil }
    self.groups = groups
  }

  /// Parses the three text forms of RFC 4291 section 2.2; nil for any other text.
  package init?(_ text: some Sequence<UInt8>) {
    let bytes = Array(text)
    guard bytes.count <= 45 else { return nil }
    var index = 0
    var gap: Int?
    if bytes.starts(with: [Self.colon, Self.colon]) {
      gap = 0
      index = 2
    }
    while index < bytes.count {
      guard groups.count < 8 else { return nil }
      let piece = bytes[index...].prefix { $0 != Self.colon }
      if piece.contains(UInt8(ascii: ".")) {
        guard piece.endIndex == bytes.count, groups.count <= 6,
          let address = IPv4Address(piece)
        else { return nil }
        groups.append(UInt16(truncatingIfNeeded: address.bits >> 16))
        groups.append(UInt16(truncatingIfNeeded: address.bits))
        break
      }
      guard let group = Self.group(piece) else { return nil }
      groups.append(group)
      index = piece.endIndex
      guard index < bytes.count else { break }
      index += 1
      guard index < bytes.count else { return nil }
      if bytes[index] == Self.colon {
        guard gap == nil else { return nil }
        gap = groups.count
        index += 1
      }
    }
    guard let gap else {
      if groups.count == 8 { return }
      return nil
    }
    guard groups.count < 8 else { return nil }
    groups.insert(contentsOf: Array(repeating: 0, count: 8 - groups.count), at: gap)
  }

  private static let colon = UInt8(ascii: ":")

  private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(digits.count) else { return nil }
    var group: UInt16 = 0
    for byte in digits {
      guard let digit = byte.hexDigitValue else { return nil }
      group = group << 4 | UInt16(digit)
    }
    return group
  }

  /// The address in the form of RFC 5952: in lower case, with `::` for the longest run of two or
  /// more zero groups. If several runs have the same length, `::` replaces the first of them.
  package var text: String {
    var best = 0..<0
    var start = 0
    while start < 8 {
      guard groups[start] == 0 else {
        start += 1
        continue
      }
      let end = groups[start...].firstIndex { $0 != 0 } ?? 8
      if end - start > max(best.count, 1) { best = start..<end }
      start = end
    }
    func joined(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    if best.isEmpty { return joined(0..<8) }
    return joined(0..<best.lowerBound) + "::" + joined(best.upperBound..<8)
  }
}
