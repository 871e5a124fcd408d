import FetchValues

/// The hostname of an address: a DNS name or an IP address.
struct TargetHost {
  var name: String
  var address: IPAddress?

  /// Parses the host part of an address, including the brackets of an IPv6 address.
  init(_ bytes: ArraySlice<UInt8>) throws(TargetURLProblem) {
    guard let first = bytes.first else { throw .noHost }
    if first == UInt8(ascii: "[") {
      try self.init(bracketed: bytes.dropFirst())
    } else {
      try self.init(name: bytes)
    }
  }

  private init(bracketed bytes: ArraySlice<UInt8>) throws(TargetURLProblem) {
    guard bytes.last == UInt8(ascii: "]"),
      let address = IPAddress(String(decoding: bytes.dropLast(), as: UTF8.self)), address.isV6
    else { throw .oddIPv6 }
    name = address.description
    self.address = address
  }

  private init(name bytes: ArraySlice<UInt8>) throws(TargetURLProblem) {
    let isAbsolute = bytes.last == UInt8(ascii: ".")
    let relative = isAbsolute ? bytes.dropLast() : bytes
    // Most hostnames are in lower case, so they need no second array.
    let isLower = relative.allSatisfy { $0 == $0.asciiLowercased }
    let lower = isLower ? relative : relative.map(\.asciiLowercased)[...]
    guard lower.count <= Self.bytesMax, let last = Self.lastLabel(lower) else {
      throw Self.problem(of: bytes)
    }
    name = String(decoding: lower, as: UTF8.self)
    let isNumber = Self.endsInNumber(last)
    address = isNumber ? IPAddress(name) : nil
    if isNumber, address == nil { throw .oddIPv4 }
  }

  /// Returns the reason why a name is invalid.
  private static func problem(of name: ArraySlice<UInt8>) -> TargetURLProblem {
    if name.contains(UInt8(ascii: "%")) { return .percentInHost }
    return name.allSatisfy { $0 < 0x80 } ? .oddHost : .nonASCIIHost
  }

  /// The maximum length of a hostname as text, in bytes. RFC 1035 section 2.3.4 allows 255 bytes in
  /// the DNS encoding, which is two bytes longer.
  private static let bytesMax = 253
  private static let labelBytes = 1...63

  /// Returns the last label; nil unless the name consists of valid labels with dots between them.
  /// Underscores and outer hyphens are accepted, because they occur on the web.
  private static func lastLabel(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var start = name.startIndex
    for index in name.indices {
      let byte = name[index]
      if byte == UInt8(ascii: ".") {
        guard labelBytes.contains(index - start) else { return nil }
        start = index + 1
      } else if !(byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_"))
      {
        return nil
      }
    }
    return labelBytes.contains(name.endIndex - start) ? name[start...] : nil
  }

  /// Whether resolvers may read a name with the given last label as an IPv4 address: `127.1`,
  /// `0x7f.1`, `2130706433`.
  private static func endsInNumber(_ label: ArraySlice<UInt8>) -> Bool {
    guard let first = label.first, first.isASCIIDigit else { return false }
    if label.allSatisfy(\.isASCIIDigit) { return true }
    return label.starts(with: "0x".utf8) && label.dropFirst(2).allSatisfy(\.isASCIIHexDigit)
  }
}
