import FetchValues

/// An IPv4 or IPv6 address in binary form, so that different spellings of one address are equal.
package struct IPAddress: Hashable, Sendable {
  /// The address's 4 or 16 bytes in network order.
  package let bytes: [UInt8]

  /// Creates an address from its bytes; nil unless there are 4 or 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Parses an IPv4 address of four decimal numbers without leading zeros, or an IPv6 address (RFC
  /// 4291 section 2.2) without brackets and zone. The result is nil for any other spelling.
  package init?(_ text: String) {
    if let v4 = IPv4Address(text) {
      bytes = withUnsafeBytes(of: v4.bits.bigEndian) { Array($0) }
    } else {
      // Most texts are names, which need not be split.
      guard text.utf8.contains(UInt8(ascii: ":")), let v6 = IPv6Address(text.utf8) else {
        return nil
      }
      bytes = v6.groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }

  package var isV6: Bool { bytes.count == 16 }
}

extension IPAddress: CustomStringConvertible {
  /// The address as text: dotted decimal for IPv4, the form of RFC 5952 for IPv6.
  package var description: String {
    guard isV6 else { return bytes.map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    return IPv6Address(groups: groups)?.text ?? ""
  }
}
