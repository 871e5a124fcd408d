package import FetchValues

/// One cookie in a jar (RFC 6265 section 5.3).
package struct Cookie: Equatable, Sendable {
  package var name: String
  package var value: String
  /// The domain in lower case. With `isHostOnly`, the cookie is sent only to this hostname.
  /// Otherwise, the cookie is also sent to all hostnames below the domain.
  package var domain: String
  package var isHostOnly: Bool
  package var path: String
  package var isSecure: Bool
  /// The expiry time; nil for a cookie that expires at the end of the `HTTPSession`.
  package var expiresAt: Timestamp?
  /// Whether the cookie has a valid `Max-Age`, which overrides `Expires`, whichever of the two
  /// comes first.
  private var hasMaxAge = false

  /// The maximum length of name and value together, in bytes, as in browsers.
  package static let bytesMax = 4_096

  /// Parses the value of a `Set-Cookie` header from `target`; nil if the cookie must be ignored.
  package init?(_ header: String, from target: TargetURL, now: Timestamp) {
    let parts = header.split(separator: ";", omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.utf8.firstIndex(of: UInt8(ascii: "="))
    else { return nil }
    name = String(pair[..<equals].trimmingHTTPSpace)
    value = String(pair[pair.utf8.index(after: equals)...].trimmingHTTPSpace)
    let isText = (name + value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    guard !name.isEmpty, isText, name.utf8.count + value.utf8.count <= Self.bytesMax
    else { return nil }
    domain = target.hostname
    isHostOnly = true
    path = Self.defaultPath(of: target)
    isSecure = false
    for attribute in parts.dropFirst() {
      guard read(attribute, from: target, now: now) else { return nil }
    }
    guard keepsPrefixPromise(from: target) else { return nil }
  }

  package func matches(_ target: TargetURL, now: Timestamp) -> Bool {
    if isSecure, target.scheme != .https { return false }
    if let expiresAt, expiresAt <= now { return false }
    let isHostRight =
      isHostOnly ? target.hostname == domain : Self.isWithin(target.hostname, domain)
    return isHostRight && isPathRight(target.path)
  }

  /// Whether both cookies have the same name, domain, path and `isHostOnly`.
  func replaces(_ other: Cookie) -> Bool {
    name.hasSameBytes(as: other.name) && domain == other.domain
      && path.hasSameBytes(as: other.path) && isHostOnly == other.isHostOnly
  }
}

extension Cookie {
  /// Reads an attribute. Returns false if the attribute makes the whole cookie invalid.
  private mutating func read(
    _ attribute: Substring, from target: TargetURL, now: Timestamp
  ) -> Bool {
    let sides = attribute.split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = sides.count == 2 ? sides[1].trimmingHTTPSpace : ""
    switch sides.first.map({ $0.trimmingHTTPSpace.asciiLowercased }) {
    case "domain": return readDomain(value, from: target)
    case "path": if String(value).isAbsolutePath { path = String(value) }
    case "secure": isSecure = true
    case "max-age": readMaxAge(value, now: now)
    case "expires" where !hasMaxAge:
      expiresAt = HTTPDate.parseWithoutZone(String(value)) ?? expiresAt
    default: break
    }
    return true
  }

  private mutating func readDomain(_ value: Substring, from target: TargetURL) -> Bool {
    let name = (value.hasPrefix(".") ? value.dropFirst() : value).asciiLowercased
    // The last `Domain` counts (RFC 6265 section 5.3 step 4).
    if name.isEmpty || name.hasSameBytes(as: target.hostname) {
      domain = target.hostname
      isHostOnly = name.isEmpty || target.address != nil || !name.contains(".")
      return true
    }
    // A cookie for a top-level domain would be sent to every site under it.
    guard target.address == nil, name.contains("."), Self.isWithin(target.hostname, name)
    else { return false }
    domain = name
    isHostOnly = false
    return true
  }

  private mutating func readMaxAge(_ value: Substring, now: Timestamp) {
    let digits = value.hasPrefix("-") ? value.dropFirst() : value
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return }
    let secondsMax: Int64 = 400 * 86_400
    let seconds = value.hasPrefix("-") ? 0 : min(Int64(digits) ?? secondsMax, secondsMax)
    expiresAt = now + .seconds(seconds)
    hasMaxAge = true
  }

  /// Whether the cookie may be set by a server at `target`. A `Secure` cookie needs https. A name
  /// with the prefix `__Secure-` or `__Host-` requires certain attributes (RFC 6265bis section
  /// 4.1.3).
  private func keepsPrefixPromise(from target: TargetURL) -> Bool {
    if isSecure, target.scheme != .https { return false }
    let name = name.asciiLowercased
    if name.hasPrefix("__secure-") { return isSecure }
    return !name.hasPrefix("__host-") || isSecure && isHostOnly && path == "/"
  }

  private static func isWithin(_ hostname: String, _ domain: String) -> Bool {
    hostname.hasSameBytes(as: domain) || hostname.hasSuffix("." + domain)
  }

  private static func defaultPath(of target: TargetURL) -> String {
    guard let slash = target.path.lastSlash, slash != target.path.startIndex
    else { return "/" }
    return String(target.path[..<slash])
  }

  private func isPathRight(_ requested: String) -> Bool {
    if requested.hasSameBytes(as: path) { return true }
    return requested.hasPrefix(path)
      && (path.hasSuffix("/") || requested.utf8.dropFirst(path.utf8.count).first == 0x2F)
  }
}

/// The cookies of one `HTTPSession`, such as that of a run. Answers set the cookies, later requests
/// of the session send them, and the end of the session discards them.
package struct CookieJar: Equatable, Sendable {
  package private(set) var cookies: [Cookie] = []

  /// The maximum number of cookies in a jar. No ordinary fetch needs more.
  package static let countMax = 300
  package static let perDomainMax = 50

  package init() {}

  /// Adds the cookie of a `Set-Cookie` value from `target`, or replaces the earlier version of this
  /// cookie. If the value's expiry time has passed, only removes the earlier version. Ignores an
  /// invalid cookie. Ignores a new cookie if the jar already has `countMax` cookies, or
  /// `perDomainMax` cookies for the domain.
  package mutating func keep(_ header: String, from target: TargetURL, now: Timestamp) {
    guard let cookie = Cookie(header, from: target, now: now) else { return }
    let old = cookies.firstIndex { cookie.replaces($0) }
    if let expiresAt = cookie.expiresAt, expiresAt <= now {
      if let old { cookies.remove(at: old) }
    } else if let old {
      cookies[old] = cookie
    } else if cookies.count < Self.countMax,
      cookies.count(where: { $0.domain == cookie.domain }) < Self.perDomainMax
    {
      cookies.append(cookie)
    }
  }

  /// Returns the value of the `Cookie` header for an address; nil if no cookie matches. Cookies
  /// with longer paths come first. If the paths are equally long, older cookies come first (RFC
  /// 6265 section 5.4).
  package func header(for target: TargetURL, now: Timestamp) -> String? {
    let matching = cookies.enumerated().filter { $0.element.matches(target, now: now) }
    if matching.isEmpty { return nil }
    let sorted = matching.sorted {
      let lengths = ($0.element.path.utf8.count, $1.element.path.utf8.count)
      return lengths.0 == lengths.1 ? $0.offset < $1.offset : lengths.0 > lengths.1
    }
    return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
  }
}
