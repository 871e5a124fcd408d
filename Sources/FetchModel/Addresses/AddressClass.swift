/// The class of an address. The classes are based on the IANA special-purpose registries (RFC 6890
/// and later updates). Some addresses of cloud metadata services have a class of their own.
///
/// An address that embeds an IPv4 address (mapped, NAT64, 6to4) has the class of that IPv4 address.
package enum AddressClass: Sendable, CaseIterable {
  case global, unspecified, loopback, privateUse, linkLocal, metadata, shared, multicast
  case documentation, benchmarking, reserved

  package init(_ address: IPAddress) {
    self = address.isV6 ? Self.v6(address.bytes) : Self.v4(address.bytes)
  }

  /// The class in words for a message, such as `a private address`.
  package var phrase: String {
    switch self {
    case .global: "a public address"
    case .unspecified: "the unspecified address"
    case .loopback: "a loopback address"
    case .privateUse: "a private address"
    case .linkLocal: "a link-local address"
    case .metadata: "a cloud metadata address"
    case .shared: "a carrier-grade NAT address"
    case .multicast: "a multicast address"
    case .documentation: "a documentation address"
    case .benchmarking: "a benchmarking address"
    case .reserved: "a reserved address"
    }
  }
}

extension AddressClass {
  private struct Block {
    var prefix: [UInt8]
    var bits: Int
    var kind: AddressClass

    init(_ prefix: [UInt8], _ bits: Int, _ kind: AddressClass) {
      self.prefix = prefix
      self.bits = bits
      self.kind = kind
    }

    func contains(_ bytes: [UInt8]) -> Bool {
      for index in 0..<(bits + 7) / 8 {
        let wanted = index < prefix.count ? prefix[index] : 0
        let rest = bits - index * 8
        let mask: UInt8 = rest >= 8 ? 0xFF : ~(0xFF >> UInt8(rest))
        if bytes[index] & mask != wanted & mask { return false }
      }
      return true
    }
  }

  /// The IPv4 blocks with their classes. The first block that contains an address decides. All
  /// other addresses are global.
  private static let v4Blocks = [
    Block([169, 254, 169, 254], 32, .metadata),
    Block([100, 100, 100, 200], 32, .metadata),  // Alibaba Cloud
    Block([168, 63, 129, 16], 32, .metadata),  // Azure's wire server, in public space
    Block([192, 0, 0, 192], 32, .metadata),  // Oracle Cloud
    Block([0, 0, 0, 0], 32, .unspecified),
    Block([0], 8, .reserved),
    Block([10], 8, .privateUse),
    Block([100, 64], 10, .shared),
    Block([127], 8, .loopback),
    Block([169, 254], 16, .linkLocal),
    Block([172, 16], 12, .privateUse),
    Block([192, 0, 0], 24, .reserved),
    Block([192, 0, 2], 24, .documentation),
    Block([192, 88, 99], 24, .reserved),
    Block([192, 168], 16, .privateUse),
    Block([198, 18], 15, .benchmarking),
    Block([198, 51, 100], 24, .documentation),
    Block([203, 0, 113], 24, .documentation),
    Block([224], 4, .multicast),
    Block([240], 4, .reserved),
  ]

  private static func v4(_ bytes: [UInt8]) -> AddressClass {
    v4Blocks.first { $0.contains(bytes) }?.kind ?? .global
  }

  /// The IPv6 blocks with their classes. The first block that contains an address decides. All
  /// other addresses without an embedded IPv4 address are reserved, because IANA assigns global
  /// addresses only from 2000::/3.
  private static let v6Blocks = [
    Block([0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128, .metadata),  // AWS
    Block([0xFD, 0x20, 0, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], 128, .metadata),  // GCP
    Block([], 128, .unspecified),
    Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, .loopback),
    Block([0xFC], 7, .privateUse),
    Block([0xFE, 0x80], 10, .linkLocal),
    Block([0xFE, 0xC0], 10, .privateUse),  // site-local, deprecated but still in use
    Block([0xFF], 8, .multicast),
    Block([0x20, 0x01, 0x0D, 0xB8], 32, .documentation),
    Block([0x3F, 0xFF], 20, .documentation),
    Block([0x20, 0x01, 0, 0x02], 48, .benchmarking),
    Block([0x20, 0x01], 23, .reserved),  // IETF protocols, Teredo, ORCHID
    Block([0x20], 3, .global),
  ]

  private static func v6(_ bytes: [UInt8]) -> AddressClass {
    if let inner = embeddedV4(bytes) { return v4(inner) }
    return v6Blocks.first { $0.contains(bytes) }?.kind ?? .reserved
  }

  /// Returns the IPv4 address inside a mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96, RFC 6052) or
  /// 6to4 (2002::/16, RFC 3056) address; nil for any other address.
  private static func embeddedV4(_ bytes: [UInt8]) -> [UInt8]? {
    let mapped = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96, .reserved)
    let nat64 = Block([0, 0x64, 0xFF, 0x9B], 96, .reserved)
    if mapped.contains(bytes) || nat64.contains(bytes) { return Array(bytes[12...]) }
    return bytes[0] == 0x20 && bytes[1] == 0x02 ? Array(bytes[2..<6]) : nil
  }
}
