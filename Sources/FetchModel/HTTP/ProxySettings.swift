import FetchValues

/// The proxies for requests, read from the usual environment variables by the rules of curl.
package struct ProxySettings: Equatable, Sendable {
  package var http: HTTPProxy?
  package var https: HTTPProxy?
  /// The hostnames that are reached directly.
  package var exceptions = NoProxyList("")

  package init() {}

  /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. Lower case overrides upper
  /// case. HTTP_PROXY is ignored, because a web server's CGI sets it from a request's `Proxy`
  /// header. An empty variable counts as unset.
  package init(environment: [String: String]) throws(Failure) {
    let all = try Self.proxy(["all_proxy", "ALL_PROXY"], environment)
    http = try Self.proxy(["http_proxy"], environment) ?? all
    https = try Self.proxy(["https_proxy", "HTTPS_PROXY"], environment) ?? all
    let exceptions = Self.first(["no_proxy", "NO_PROXY"], environment)?.value
    self.exceptions = NoProxyList(exceptions ?? "")
  }

  /// Returns the proxy; nil for a direct connection.
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
        "the environment variable \(name) is not a valid proxy; write it as "
          + "http://host:port, https://host:port or socks5h://host:port")
    }
    return proxy
  }
}

/// The list in `no_proxy`, separated by commas or spaces. A name includes all names below it, with
/// or without a leading dot. Addresses match whole, or by `address/bits`; `*` is everything.
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
