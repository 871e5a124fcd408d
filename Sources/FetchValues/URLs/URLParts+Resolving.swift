extension URLParts {
  /// The target of a reference against this base, exactly as RFC 3986 section 5.2.2 has it
  /// ("strict"); nothing is escaped or put into canonical form. Links out of documents go through
  /// `URLResolver` instead.
  package func resolving(_ reference: URLParts) -> URLParts {
    var target = reference
    if reference.scheme != nil {
      target.path = Self.withoutDots(reference.path)
      return target
    }
    target.scheme = scheme
    if reference.host != nil {
      target.path = Self.withoutDots(reference.path)
      return target
    }
    target.user = user
    target.password = password
    target.host = host
    target.port = port
    if reference.path.isEmpty {
      target.path = path
      target.query = reference.query ?? query
    } else {
      target.path = Self.withoutDots(merged(reference.path))
    }
    return target
  }

  /// The same resource in the form in which URLs are compared (RFC 3986 sections 6.2.2 and 6.2.3):
  /// lower case, no needless escapes, no dot segments, no default port, `/` for an empty path.
  package var normalized: URLParts {
    var normal = self
    normal.user = user.map(PercentEncoding.normalize)
    normal.password = password.map(PercentEncoding.normalize)
    normal.host = host.map { URLHost.canonical($0) ?? $0.asciiLowercased }
    if let scheme, port == URLScheme.defaultPort(scheme) { normal.port = nil }
    normal.path = Self.withoutDots(PercentEncoding.normalize(path))
    if let scheme, URLScheme.isSpecial(scheme), normal.path.isEmpty { normal.path = "/" }
    normal.query = query.map(PercentEncoding.normalize)
    normal.fragment = fragment.map(PercentEncoding.normalize)
    return normal
  }

  /// RFC 3986 section 5.2.3.
  private func merged(_ relative: String) -> String {
    if relative.utf8.first == UInt8(ascii: "/") { return relative }
    if host != nil && path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
    return path[...slash] + relative
  }

  private static func withoutDots(_ path: String) -> String {
    guard path.utf8.first == UInt8(ascii: "/") else { return path }
    return String(decoding: URLPath.removeDotSegments(Array(path.utf8)), as: UTF8.self)
  }
}
