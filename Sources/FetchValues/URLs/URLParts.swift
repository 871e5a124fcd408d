/// The components of a URL or a relative reference (RFC 3986 section 3), in their percent-encoded
/// form. `init(parsing:)` changes no escapes, and changes only the scheme to lower case.
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

  /// Splits a URL or relative reference. Rejects a text with a space, a control byte, a backslash,
  /// an invalid port or invalid brackets, because parsers disagree about such texts. Also rejects a
  /// text that begins with `:`, or that lacks the host that its scheme needs. Characters outside
  /// ASCII stay unchanged.
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

  /// The scheme and authority in a form for comparing: in lower case and without user information.
  /// The port is left out if it is the scheme's default port. The value is nil without a scheme or
  /// a host.
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

extension URLParts {
  /// Returns the URL to which a reference leads from this base, as in RFC 3986 section 5.2.2
  /// ("strict"), without escaping or normalizing. Dot segments are removed only from a path that
  /// begins with `/`. Use `URLResolver` for links in documents.
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

  /// The URL in the form for comparisons (RFC 3986 sections 6.2.2 and 6.2.3). The host is in lower
  /// case, and in the form of `URLHost.canonical` if it has one. Needless escapes are decoded. The
  /// default port and the dot segments of a path that begins with `/` are removed. If the scheme is
  /// http, https, ws, wss, ftp or file, an empty path becomes `/`.
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

/// The ranges of the five components in the bytes of a URL reference (RFC 3986 appendix B). Every
/// text can be split, because only the characters of the scheme are checked.
struct URLSplit {
  var scheme: Range<Int>?
  var authority: Range<Int>?
  var path: Range<Int>
  var query: Range<Int>?
  var fragment: Range<Int>?

  init(_ bytes: [UInt8]) {
    var start = 0
    var end = bytes.count
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      fragment = hash + 1..<end
      end = hash
    }
    if let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) {
      query = mark + 1..<end
      end = mark
    }
    if let colon = Self.schemeEnd(bytes[..<end]) {
      scheme = 0..<colon
      start = colon + 1
    }
    path = start..<end
    if bytes[path].starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
      takeAuthority(bytes, from: start + 2)
    }
  }

  /// Reads the authority that begins at `start` inside the path. The path then begins after the
  /// authority.
  mutating func takeAuthority(_ bytes: [UInt8], from start: Int) {
    let rest = start..<path.upperBound
    let slash = bytes[rest].firstIndex(of: UInt8(ascii: "/")) ?? rest.upperBound
    authority = start..<slash
    path = slash..<rest.upperBound
  }

  /// Returns the index of the colon after a valid scheme; nil if there is no valid scheme.
  private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first, ByteSet.letters.contains(first) else { return nil }
    guard let end = bytes.firstIndex(where: { !ByteSet.scheme.contains($0) }) else { return nil }
    return bytes[end] == UInt8(ascii: ":") ? end : nil
  }
}

/// The facts about schemes that are needed to resolve and compare URLs.
enum URLScheme {
  /// Whether URLs of the scheme always have a host and a path (the URL Standard's special schemes
  /// without `file`).
  static func needsHost(_ scheme: String) -> Bool { defaultPort(scheme) != nil }

  static func isSpecial(_ scheme: String) -> Bool { needsHost(scheme) || scheme == "file" }

  static func defaultPort(_ scheme: String) -> UInt16? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }
}

/// The reason why a text is not a URL.
package enum URLError: Error, Equatable {
  case forbiddenByte(UInt8)
  case badScheme
  case badHost(String)
  case badPort(String)
  case noHost
}

extension URLError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .forbiddenByte(UInt8(ascii: " ")): "a URL must not contain a space (write %20)"
    case .forbiddenByte(UInt8(ascii: "\\")): "a URL must not contain a backslash"
    case .forbiddenByte(let byte): "a URL must not contain the control byte \(byte)"
    case .badScheme: "the scheme of the URL is not valid"
    case .badHost(let host): "'\(host)' is not a valid hostname or address"
    case .badPort(let port): "'\(port)' is not a port (0 to 65535)"
    case .noHost: "the URL has no host"
    }
  }
}
