import FetchValues

/// The address of a request or a file, parsed strictly.
///
/// The parser is stricter than RFC 3986 where parsers are known to disagree. Otherwise, the grant
/// check and the connection could read different hostnames. The parser rejects backslashes, spaces,
/// control bytes, user info, percent-encoded and non-ASCII hostnames, and IPv4 addresses that are
/// not written as four decimal numbers.
package struct TargetURL: Hashable, Sendable {
  package enum Scheme: String, Sendable {
    case http, https, file
  }

  package let scheme: Scheme
  /// The hostname in lower-case ASCII, without a trailing dot and without the brackets of an IPv6
  /// address; empty for files.
  package let hostname: String
  /// The hostname as an IP address; nil for a DNS name.
  package let address: IPAddress?
  /// The port; 0 for files.
  package let port: UInt16
  /// The whole address without a fragment.
  package let text: String
  /// The place of the path in the bytes of `text`.
  private let pathRange: Range<Int>

  /// The maximum length of an address as it is given, in bytes. Percent-encoding may make `text`
  /// longer.
  package static let bytesMax = 8_000

  package init(_ text: String) throws(Failure) {
    do throws(TargetURLProblem) {
      self = try Self.parse(Array(text.utf8))
    } catch {
      throw error.failure(of: text)
    }
  }

  init(
    scheme: Scheme, host: TargetHost?, port: UInt16, path: ArraySlice<UInt8>,
    query: ArraySlice<UInt8>?
  ) {
    self.scheme = scheme
    hostname = host?.name ?? ""
    address = host?.address
    self.port = port
    var text: [UInt8] = []
    text.reserveCapacity(Self.originBytes + path.count + (query?.count ?? 0))
    Self.append(scheme, hostname, address, port, to: &text)
    let pathStart = text.count
    Self.append(Self.removingDotSegments(path), allowed: Self.pathBytes, to: &text)
    pathRange = pathStart..<text.count
    if let query {
      text.append(UInt8(ascii: "?"))
      Self.append(query, allowed: Self.queryBytes, to: &text)
    }
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// The approximate size of an origin, in bytes.
  private static let originBytes = 48
}

extension TargetURL {
  /// The path. It begins with `/` and has no dot segments. Bytes that the grammar of RFC 3986 does
  /// not allow are percent-encoded.
  package var path: String { part(pathRange) }

  package var query: String? {
    let end = text.utf8.count
    return pathRange.upperBound < end ? part((pathRange.upperBound + 1)..<end) : nil
  }

  private func part(_ range: Range<Int>) -> String {
    String(decoding: text.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
  }

  /// The origin (RFC 6454): scheme, hostname, and the port if it is not the scheme's default.
  package var origin: String { Self.origin(scheme, hostname, address, port) }

  /// The IP address in the hostname, or 127.0.0.1 for `localhost`. Nil for a file, and for a
  /// hostname that needs DNS.
  package var literalAddress: IPAddress? {
    hostname == "localhost" ? IPAddress("127.0.0.1") : address
  }

  /// The hostname with the port if it is not the default, as in the `Host` header.
  package var authority: String { Self.authority(scheme, hostname, address, port) }

  private static func origin(
    _ scheme: Scheme, _ hostname: String, _ address: IPAddress?, _ port: UInt16
  ) -> String {
    var text: [UInt8] = []
    append(scheme, hostname, address, port, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends an origin's bytes. Does not join strings, because joining took most of the time for
  /// building an address.
  private static func append(
    _ scheme: Scheme, _ hostname: String, _ address: IPAddress?, _ port: UInt16,
    to text: inout [UInt8]
  ) {
    text += scheme.prefix.utf8
    let isV6 = address?.isV6 == true
    if isV6 { text.append(UInt8(ascii: "[")) }
    text += hostname.utf8
    if isV6 { text.append(UInt8(ascii: "]")) }
    guard port != scheme.defaultPort else { return }
    text.append(UInt8(ascii: ":"))
    append(decimal: port, to: &text)
  }

  private static func append(decimal number: UInt16, to text: inout [UInt8]) {
    if number > 9 { append(decimal: number / 10, to: &text) }
    text.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  private static func authority(
    _ scheme: Scheme, _ hostname: String, _ address: IPAddress?, _ port: UInt16
  ) -> String {
    let host = address?.isV6 == true ? "[\(hostname)]" : hostname
    return port == scheme.defaultPort ? host : host + ":" + port.description
  }

  package func isSameOrigin(as other: TargetURL) -> Bool {
    scheme == other.scheme && hostname == other.hostname && port == other.port
  }
}

extension TargetURL.Scheme {
  /// The beginning of an address with this scheme.
  fileprivate var prefix: String {
    switch self {
    case .http: "http://"
    case .https: "https://"
    case .file: "file://"
    }
  }

  package var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    case .file: 0
    }
  }
}

extension TargetURL: CustomStringConvertible {
  package var description: String { text }
}
