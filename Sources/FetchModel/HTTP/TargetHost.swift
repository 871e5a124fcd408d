/// The hostname of an address: a name of the DNS or an IP address.
struct TargetHost {
  var name: String
  var address: IPAddress?

  /// Reads the host part, brackets included.
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
    if bytes.contains(UInt8(ascii: "%")) { throw .percentInHost }
    guard bytes.allSatisfy({ $0 < 0x80 }) else { throw .nonASCIIHost }
    let isAbsolute = bytes.last == UInt8(ascii: ".")
    let lower = (isAbsolute ? bytes.dropLast() : bytes).map(\.asciiLowercased)
    let labels = lower.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, lower.count <= 253, labels.allSatisfy(Self.isLabel)
    else { throw .oddHost }
    name = String(decoding: lower, as: UTF8.self)
    address = Self.endsInNumber(last) ? IPAddress(name) : nil
    if Self.endsInNumber(last), address == nil { throw .oddIPv4 }
  }

  /// RFC 1035 section 2.3.4's length; underscore and outer hyphens are in use on the web.
  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    !label.isEmpty && label.count <= 63
      && label.allSatisfy {
        $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  /// Whether resolvers may read the name as an IPv4 address: `127.1`, `0x7f.1`, `2130706433`.
  private static func endsInNumber(_ label: ArraySlice<UInt8>) -> Bool {
    if label.allSatisfy(\.isASCIIDigit) { return true }
    return label.starts(with: "0x".utf8) && label.dropFirst(2).allSatisfy(\.isASCIIHexDigit)
  }
}
