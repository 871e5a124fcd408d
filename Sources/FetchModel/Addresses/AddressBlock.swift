import FetchValues

/// A block of addresses that share their first bits, in CIDR notation (RFC 4632; RFC 4291, section
/// 2.3): `192.168.0.0/16`, `fd00::/8`. A single address is a block with one address.
package struct AddressBlock: Hashable, Sendable {
  /// The block's first address. An IPv4 address is never stored in IPv6 form.
  package let first: IPAddress
  /// The number of leading bits that the block's addresses share.
  package let prefixLength: Int

  /// Parses a block in CIDR notation or a single address. The message of the thrown error shows a
  /// valid form.
  package init(parsing text: String) throws(AddressBlockError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let address = IPAddress(String(parts[0])), parts.count <= 2 else {
      throw .noBlock(text)
    }
    var length = address.bytes.count * 8
    if parts.count == 2 {
      guard let written = Self.number(parts[1]), written <= length else { throw .noBlock(text) }
      length = written
    }
    guard address.keeping(length) == address else {
      throw .begunInside(text, Self.text(address.keeping(length), length))
    }
    let inner = address.withoutV6Form
    first = inner
    // A block that begins in ::ffff:0:0/96 has a prefix of at least 96 bits, because blocks with
    // shorter prefixes are rejected above.
    prefixLength = inner == address ? length : max(0, length - 96)
  }

  /// Whether the block contains the address. An IPv4 address in IPv6 form (::ffff:0:0/96) counts as
  /// the IPv4 address that the connection reaches. A NAT64 or 6to4 address counts as IPv6, because
  /// a gateway chooses the server.
  package func contains(_ address: IPAddress) -> Bool {
    let address = address.withoutV6Form
    return address.isV6 == first.isV6 && address.keeping(prefixLength) == first
  }

  /// Returns a number of one to three digits without a sign or a leading zero; nil for any other
  /// text.
  private static func number(_ text: Substring) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit),
      text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int(text)
  }

  private static func text(_ address: IPAddress, _ length: Int) -> String {
    "\(address)/\(length)"
  }
}

extension AddressBlock: CustomStringConvertible {
  /// The block in CIDR notation. A single address is written without a prefix length.
  package var description: String {
    prefixLength == first.bytes.count * 8
      ? first.description : Self.text(first, prefixLength)
  }
}

extension IPAddress {
  /// The IPv4 address in an address of the form `::ffff:192.0.2.1`; any other address unchanged.
  fileprivate var withoutV6Form: IPAddress {
    guard isV6, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
      return self
    }
    return IPAddress(bytes: Array(bytes[12...])) ?? self
  }

  /// Returns the address with all bits after the first `count` cleared.
  fileprivate func keeping(_ count: Int) -> IPAddress {
    var kept = bytes
    for index in kept.indices {
      let left = count - index * 8
      if left <= 0 { kept[index] = 0 } else if left < 8 { kept[index] &= ~(0xFF >> UInt8(left)) }
    }
    return IPAddress(bytes: kept) ?? self
  }
}

/// The reason why a text is not an address block. The description shows a valid form.
package struct AddressBlockError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  static func noBlock(_ text: String) -> AddressBlockError {
    AddressBlockError(
      "'\(text.prefix(60))' is not an address block: use a block such as 192.168.0.0/16 "
        + "or fd00::/8, or a single address")
  }

  /// Returns the error for an address that is inside `block` but is not the block's first address.
  static func begunInside(_ text: String, _ block: String) -> AddressBlockError {
    let address = text.prefix { $0 != "/" }
    return AddressBlockError(
      "'\(text.prefix(60))' is not the start of a block: use \(block) or \(address)")
  }
}
