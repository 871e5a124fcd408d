import FetchValues

/// The address of a proxy for requests, with an optional login.
package struct HTTPProxy: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case http, https, socks4, socks4a, socks5, socks5h
  }

  package var kind: Kind
  package var hostname: String
  package var port: UInt16
  package var user: String?
  package var password: String?

  /// Parses `[scheme://][user[:password]@]host[:port][/]`; nil if the text is invalid. As in curl,
  /// the default scheme is http. The default port is 1080, but 443 for https.
  package init?(_ text: String) {
    let mark = text.firstRange(of: "://")
    let rest = mark.map { String(text[$0.upperBound...]) } ?? text
    let scheme = mark.map { text[..<$0.lowerBound].asciiLowercased } ?? "http"
    guard let kind = Kind(rawValue: scheme == "socks" ? "socks4" : scheme) else { return nil }
    self.kind = kind
    let end = rest.lastIndex(of: "@")
    let place = end.map { rest[rest.index(after: $0)...] } ?? rest[...]
    guard let target = try? TargetURL("https://" + place), target.path == "/", target.query == nil
    else { return nil }
    hostname = target.hostname
    port = Self.hasPort(place) ? target.port : kind == .https ? 443 : 1080
    guard let end else { return }
    let login = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let user = Self.decoded(login.first ?? "") else { return nil }
    self.user = user
    guard login.count == 2 else { return }
    guard let password = Self.decoded(login[1]) else { return nil }
    self.password = password
  }

  /// The address without the user name and password.
  package var text: String {
    let host = hostname.contains(":") ? "[\(hostname)]" : hostname
    return "\(kind.rawValue)://\(host):\(port)"
  }

  private static func hasPort(_ place: Substring) -> Bool {
    let host = place.drop { $0 != "]" }
    return (host.isEmpty ? place : host).contains(":")
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes.contains { $0 < 0x20 || $0 == 0x7F }
      ? nil : String(validating: bytes, as: UTF8.self)
  }
}

/// The proxies for requests, read from the usual environment variables according to the rules of
/// curl.
package struct ProxySettings: Equatable, Sendable {
  package var http: HTTPProxy?
  package var https: HTTPProxy?
  /// The hostnames and addresses that are reached without a proxy.
  package var exceptions = NoProxyList("")

  package init() {}

  /// Reads the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. The lower-case
  /// name of a variable overrides the upper-case name. `HTTP_PROXY` is ignored, because a web
  /// server's CGI sets it from the `Proxy` header of a request. An empty variable counts as unset.
  package init(environment: [String: String]) throws(Failure) {
    let all = try Self.proxy(["all_proxy", "ALL_PROXY"], environment)
    http = try Self.proxy(["http_proxy"], environment) ?? all
    https = try Self.proxy(["https_proxy", "HTTPS_PROXY"], environment) ?? all
    let exceptions = Self.first(["no_proxy", "NO_PROXY"], environment)?.value
    self.exceptions = NoProxyList(exceptions ?? "")
  }

  /// Returns the proxy for an address; nil for a direct connection.
  package func proxy(for target: TargetURL) -> HTTPProxy? {
    if exceptions.contains(target) { return nil }
    return switch target.scheme {
    case .http: http
    case .https: https
    case .file: nil
    }
  }

  private static func first(
    _ names: [String], _ environment: [String: String]
  ) -> (name: String, value: String)? {
    for name in names {
      if let value = environment[name], !value.isEmpty { return (name, value) }
    }
    return nil
  }

  private static func proxy(
    _ names: [String], _ environment: [String: String]
  ) throws(Failure) -> HTTPProxy? {
    guard let (name, value) = first(names, environment) else { return nil }
    guard let proxy = HTTPProxy(value) else {
      throw Failure(
        .invalidOption,
        "the proxy in the environment variable \(name) is invalid; write http://host:port, "
          + "https://host:port or socks5h://host:port")
    }
    return proxy
  }
}

/// The entries of `no_proxy`, separated by commas or spaces. A hostname, with or without a leading
/// dot, matches itself and all hostnames below it. An address matches only itself, and
/// `address/bits` matches a block of addresses. `*` as the only entry matches everything.
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
