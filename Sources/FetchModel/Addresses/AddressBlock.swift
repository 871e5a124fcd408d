import FetchValues

/// Addresses that share their first bits, as CIDR writes them (RFC 4632; RFC 4291, section 2.3):
/// `192.168.0.0/16`, `fd00::/8`. One address alone is a block of itself.
package struct AddressBlock: Hashable, Sendable {
  /// The first of them; never an IPv4 address in IPv6 form.
  package let first: IPAddress
  /// How many leading bits they share.
  package let prefixLength: Int

  /// Takes anything; what is no block is an error whose message says what would be one.
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
    // Of less than its form's 96 bits, such an address would begin inside a block.
    prefixLength = inner == address ? length : max(0, length - 96)
  }

  /// An IPv4 address in IPv6 form (::ffff:0:0/96) is the IPv4 address, which such a connection
  /// reaches. One behind NAT64 or 6to4 is none: a gateway decides where that leads.
  package func contains(_ address: IPAddress) -> Bool {
    let address = address.withoutV6Form
    return address.isV6 == first.isV6 && address.keeping(prefixLength) == first
  }

  /// Up to three digits without a sign or a leading zero.
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
  /// One address without its length.
  package var description: String {
    prefixLength == first.bytes.count * 8
      ? first.description : Self.text(first, prefixLength)
  }
}

extension IPAddress {
  /// The IPv4 address of `::ffff:192.0.2.1`; others as they are.
  fileprivate var withoutV6Form: IPAddress {
    guard isV6, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
      return self
    }
    return IPAddress(bytes: Array(bytes[12...])) ?? self
  }

  /// With all bits but the first ones zero.
  fileprivate func keeping(_ count: Int) -> IPAddress {
    var kept = bytes
    for index in kept.indices {
      let left = count - index * 8
      if left <= 0 { kept[index] = 0 } else if left < 8 { kept[index] &= ~(0xFF >> UInt8(left)) }
    }
    return IPAddress(bytes: kept) ?? self
  }
}

/// Why a text is no block of addresses; the description says what could be one.
package struct AddressBlockError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  static func noBlock(_ text: String) -> AddressBlockError {
    AddressBlockError(
      "'\(text.prefix(60))' is no block of addresses; write 192.168.0.0/16, fd00::/8"
        + " or one address")
  }

  /// `block` is the one that the text begins inside of.
  static func begunInside(_ text: String, _ block: String) -> AddressBlockError {
    let address = text.prefix { $0 != "/" }
    return AddressBlockError(
      "'\(text.prefix(60))' begins inside a block; write \(block), or \(address) alone")
  }
}
