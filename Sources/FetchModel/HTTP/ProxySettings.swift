import FetchValues

/// Which proxy a request goes through, by the environment variables every tool knows, read as curl
/// reads them.
package struct ProxySettings: Equatable, Sendable {
  package var http: HTTPProxy?
  package var https: HTTPProxy?
  /// Hostnames that are reached directly.
  package var exceptions = NoProxyList("")

  package init() {}

  /// Reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; lower case goes before upper,
  /// and HTTP_PROXY is not read at all, for a web server's CGI sets it from a request's `Proxy`
  /// header. An empty variable is as good as none.
  package init(environment: [String: String]) throws(Failure) {
    let all = try Self.proxy(["all_proxy", "ALL_PROXY"], environment)
    http = try Self.proxy(["http_proxy"], environment) ?? all
    https = try Self.proxy(["https_proxy", "HTTPS_PROXY"], environment) ?? all
    let exceptions = Self.first(["no_proxy", "NO_PROXY"], environment)?.value
    self.exceptions = NoProxyList(exceptions ?? "")
  }

  /// nil: straight to the server.
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
        "the environment variable \(name) is no proxy that can be used; write it as "
          + "http://host:port, https://host:port or socks5h://host:port")
    }
    return proxy
  }
}
