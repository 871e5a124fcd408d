/// The components of a URL or a relative reference (RFC 3986 section 3), percent-encoded as in the
/// original text. Only the scheme is changed to lower case.
///
/// Setters do not check the new value, so the caller must encode it.
package struct URLParts: Sendable {
  package var scheme: String?
  package var user: String?
  package var password: String?
  /// The host, with brackets for an IPv6 address. It is empty in `file:///` and nil without an
  /// authority.
  package var host: String?
  package var port: UInt16?
  package var path = ""
  /// The query without its `?`; an empty query is different from no query.
  package var query: String?
  package var fragment: String?

  package init() {}

  /// Splits a URL or relative reference. Rejects texts about which parsers are known to disagree:
  /// those with a space, a control byte or a backslash, or with an invalid host or port. Characters
  /// outside ASCII stay unchanged.
  package init(parsing text: String) throws(URLError) {
    let bytes = Array(text.utf8)
    for byte in bytes where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
      throw .forbiddenByte(byte)
    }
    let split = URLSplit(bytes)
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    scheme = split.scheme.map { string($0).asciiLowercased }
    if let range = split.authority {
      let authority = try URLAuthority(bytes[range])
      user = authority.user
      password = authority.password
      host = authority.host
      port = authority.port
    }
    path = string(split.path)
    query = split.query.map(string)
    fragment = split.fragment.map(string)
    if scheme == nil && split.authority == nil && bytes.first == UInt8(ascii: ":") {
      throw .badScheme
    }
    if let scheme, URLScheme.needsHost(scheme), host?.isEmpty ?? true { throw .noHost }
  }

  /// The scheme and authority in a form for comparing: in lower case, without the scheme's default
  /// port. The value is nil without a host.
  package var origin: String? {
    guard let scheme, let host, !host.isEmpty else { return nil }
    let port = port.flatMap { $0 == URLScheme.defaultPort(scheme) ? nil : ":\($0)" } ?? ""
    return "\(scheme)://\(host.asciiLowercased)\(port)"
  }

  /// The whole URL as text (RFC 3986 section 5.3). Without an authority, a path that begins with
  /// `//` is written with `/.` in front, so that it is not read as an authority.
  package var text: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let host {
      text += "//"
      if user != nil || password != nil {
        text += user ?? ""
        if let password { text += ":" + password }
        text += "@"
      }
      text += host
      if let port { text += ":\(port)" }
    } else if path.utf8.starts(with: "//".utf8) {
      text += "/."
    }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }
}

extension URLParts: Equatable {
  /// Returns whether two URLs have the same text, byte for byte.
  package static func == (left: URLParts, right: URLParts) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}

extension String {
  /// The text with only its ASCII letters in lower case, as for hostnames, schemes and header
  /// names.
  package var asciiLowercased: String {
    guard utf8.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return self }
    return String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension URLParts {
  /// Returns the URL to which a reference leads from this base, exactly by RFC 3986 section 5.2.2
  /// ("strict"), without escaping or normalizing. Use `URLResolver` for links in documents.
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

  /// The same URL in the form for comparisons (RFC 3986 sections 6.2.2 and 6.2.3). Scheme and host
  /// are in lower case. Needless escapes, dot segments and the default port are removed, and an
  /// empty path becomes `/`.
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

  /// Returns the base path merged with a relative path (RFC 3986 section 5.2.3).
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
