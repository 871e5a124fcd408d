import FetchValues

/// `no_proxy`: names apart by commas or spaces; a name stands for itself and all below it, with or
/// without a leading dot; addresses match whole, or by `address/bits`; `*` is everything.
package struct NoProxyList: Equatable, Sendable {
  private var entries: [String]

  package init(_ text: String) {
    entries = text.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.asciiLowercased }
  }

  package func contains(_ target: TargetURL) -> Bool {
    if entries == ["*"] { return true }
    guard let address = target.address else {
      return entries.contains { Self.isName(target.hostname, within: $0) }
    }
    return entries.contains { Self.isAddress(address, within: $0) }
  }

  private static func isName(_ hostname: String, within entry: String) -> Bool {
    var name = entry.hasPrefix(".") ? entry.dropFirst() : entry[...]
    if name.hasSuffix(".") { name = name.dropLast() }
    return !name.isEmpty && (hostname.hasSameBytes(as: name) || hostname.hasSuffix("." + name))
  }

  private static func isAddress(_ address: IPAddress, within entry: String) -> Bool {
    let sides = entry.split(separator: "/", maxSplits: 1)
    let text = (sides.first ?? "").filter { $0 != "[" && $0 != "]" }
    guard let network = IPAddress(text), network.bytes.count == address.bytes.count
    else { return false }
    guard sides.count == 2 else { return network == address }
    guard let bits = Int(sides[1]), (0...network.bytes.count * 8).contains(bits)
    else { return false }
    return (0..<bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return network.bytes[bit / 8] & mask == address.bytes[bit / 8] & mask
    }
  }
}
