import FetchModel
import FetchValues

/// The rule that a request must name one of the server's own hosts, which prevents DNS rebinding.
/// In such an attack, the name of another site suddenly resolves to this server. The browser then
/// still sends the name of the other site.
package struct HostRule: Sendable {
  private let names: Set<String>

  /// Creates the rule from the config.
  ///
  /// - Parameters:
  ///   - url: the configured address of the server for other machines.
  ///   - hosts: further configured hostnames.
  package init(url: String?, hosts: [String]) {
    let own = url.flatMap { URLHostText(ofURL: $0)?.name }
    // An IPv6 address in `hosts` has no brackets, unlike one in the field `Host`.
    names = Set(
      (hosts + [own].compactMap(\.self)).map {
        (URLHostText($0) ?? URLHostText("[\($0)]"))?.name ?? $0.asciiLowercased
      })
  }

  package enum Problem: Error, Equatable, Sendable {
    case missing
    case repeated
    case invalid(String)
    case unknown(String)
  }

  /// Returns the value of the field `Host` in lower case. Throws if the field is missing, repeated
  /// or invalid, or if it names none of the server's own hosts. A loopback name or address that is
  /// not in the config is an own host if its port is `port`, or if `port` is nil. A field without a
  /// port means port 80.
  package func check(_ headers: WebHeaders, port: Int?) throws(Problem) -> String {
    let values = headers.all("Host")
    guard let value = values.first else { throw .missing }
    guard values.count == 1 else { throw .repeated }
    guard let host = URLHostText(value) else { throw .invalid(value) }
    if names.contains(host.name) { return value.asciiLowercased }
    guard Self.isLoopback(host.name), port == nil || (host.port ?? 80) == port else {
      throw .unknown(value)
    }
    return value.asciiLowercased
  }

  static func isLoopback(_ name: String) -> Bool {
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    let bare = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
    guard let address = IPAddress(bare) else { return false }
    return WebPeer.address(address).isLoopback
  }
}

/// The value of a `Host` field (RFC 9110, 7.2): a name or an address, and perhaps a port.
struct URLHostText: Equatable {
  /// The name or the address in lower case. An IPv6 address keeps its brackets.
  var name: String
  var port: Int?

  private static let nameBytes = ByteSet.letters.union(.digits).union(ByteSet("-._"))
  private static let nameBytesMax = 253

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    let nameEnd: Int
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inner = String(decoding: bytes[1..<close], as: UTF8.self)
      guard let address = IPAddress(inner), address.isV6 else { return nil }
      name = "[\(address)]"
      nameEnd = close + 1
    } else {
      nameEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
      let label = bytes[..<nameEnd]
      guard !label.isEmpty, label.count <= Self.nameBytesMax,
        label.allSatisfy(Self.nameBytes.contains)
      else { return nil }
      name = String(decoding: label, as: UTF8.self).asciiLowercased
      if name.hasSuffix("."), name.utf8.count > 1 { name.removeLast() }
    }
    guard nameEnd < bytes.count else { return }
    guard bytes[nameEnd] == UInt8(ascii: ":") else { return nil }
    let digits = bytes[(nameEnd + 1)...]
    guard (1...5).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
      let number = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(number)
    else { return nil }
    port = number
  }

  /// Creates the host from a URL such as `https://example.org/path`; nil for any other text.
  init?(ofURL text: String) {
    for scheme in ["https://", "http://"] where text.asciiLowercased.hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      self.init(String(rest))
      return
    }
    return nil
  }
}
