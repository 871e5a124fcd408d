/// The user information, host and port of an authority (RFC 3986 section 3.2).
struct URLAuthority {
  var user: String?
  var password: String?
  var host: String
  var port: UInt16?

  /// Splits an authority into its parts. Throws an error for an invalid port, an invalid IPv6
  /// address, or brackets in a wrong place. An empty port counts as no port.
  init(_ bytes: ArraySlice<UInt8>) throws(URLError) {
    var hostStart = bytes.startIndex
    if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
      let information = bytes[..<at]
      let colon = information.firstIndex(of: UInt8(ascii: ":")) ?? at
      user = Self.string(information[..<colon])
      if colon < at { password = Self.string(information[(colon + 1)...]) }
      hostStart = at + 1
    }
    let location = bytes[hostStart...]
    let hostEnd = try Self.hostEnd(location)
    host = Self.string(location[..<hostEnd])
    if hostEnd < location.endIndex { port = try Self.port(location[(hostEnd + 1)...]) }
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the index of the colon after the host; the end if there is no colon.
  private static func hostEnd(_ bytes: ArraySlice<UInt8>) throws(URLError) -> Int {
    guard bytes.first == UInt8(ascii: "[") else {
      let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
      if bytes[..<end].contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) {
        throw .badHost(string(bytes))
      }
      return end
    }
    guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .badHost(string(bytes)) }
    let end = close + 1
    guard end == bytes.endIndex || bytes[end] == UInt8(ascii: ":"),
      IPv6Address(bytes[(bytes.startIndex + 1)..<close]) != nil
    else { throw .badHost(string(bytes)) }
    return end
  }

  private static func port(_ digits: ArraySlice<UInt8>) throws(URLError) -> UInt16? {
    if digits.isEmpty { return nil }
    var port = 0
    for byte in digits {
      guard ByteSet.digits.contains(byte) else { throw .badPort(string(digits)) }
      port = port * 10 + Int(byte - UInt8(ascii: "0"))
      guard port <= 65535 else { throw .badPort(string(digits)) }
    }
    return UInt16(port)
  }
}
