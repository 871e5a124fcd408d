/// An IPv4 or IPv6 address as numbers, so that no spelling of one can be mistaken for another.
package struct IPAddress: Hashable, Sendable {
  /// 4 or 16 bytes, network order.
  package let bytes: [UInt8]

  /// nil unless there are 4 or 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Reads `192.0.2.1` (four decimal numbers without leading zeros, RFC 6943 section 3.1.1
  /// "strict") or an IPv6 address of RFC 4291 section 2.2 without brackets and zone. Every other
  /// spelling is nil.
  package init?(_ text: String) {
    let text = Array(text.utf8)
    guard let bytes = text.contains(UInt8(ascii: ":")) ? Self.v6(text[...]) : Self.v4(text[...])
    else { return nil }
    self.bytes = bytes
  }

  package var isV6: Bool { bytes.count == 16 }
}

extension IPAddress {
  private static func v4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard let byte = octet(part) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func octet(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard let first = digits.first, digits.count <= 3, digits.allSatisfy(\.isASCIIDigit),
      digits.count == 1 || first != UInt8(ascii: "0")
    else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return UInt8(exactly: number)
  }

  private static func v6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count <= 45 else { return nil }
    guard let gap = doubleColon(in: text) else {
      guard let bytes = groups(text), bytes.count == 16 else { return nil }
      return bytes
    }
    guard let head = groups(text[..<gap]), let tail = groups(text[(gap + 2)...]),
      head.count + tail.count <= 14
    else { return nil }
    return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
  }

  private static func doubleColon(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.dropLast().first {
      text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":")
    }
  }

  private static func groups(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.isEmpty { return [] }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let tail = v4(part) else { return nil }
        bytes += tail
      } else {
        guard !part.isEmpty, part.count <= 4, part.allSatisfy(\.isASCIIHexDigit) else { return nil }
        let number = part.reduce(0) { $0 << 4 | Int($1.hexDigitValue ?? 0) }
        bytes += [UInt8(number >> 8), UInt8(number & 0xFF)]
      }
    }
    return bytes
  }
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or RFC 5952 form: lower case, the longest run of zero groups as `::`.
  package var description: String {
    guard isV6 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    let gap = Self.longestZeroRun(groups)
    let text = { (part: ArraySlice<Int>) in
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard gap.count > 1 else { return text(groups[...]) }
    return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
  }

  private static func longestZeroRun(_ groups: [Int]) -> Range<Int> {
    var best = 0..<0
    var start = 0
    for index in groups.indices {
      if groups[index] != 0 {
        start = index + 1
      } else if index + 1 - start > best.count {
        best = start..<index + 1
      }
    }
    return best
  }
}
