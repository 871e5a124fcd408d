/// The resolver for links in documents against a base URL (RFC 3986 section 5). It tolerates
/// mistakes in the text of real feeds and pages, but is strict about the target.
///
/// As in the URL Standard, the resolver tolerates outer white space, line breaks, and a wrong
/// number of slashes before the host. It also tolerates a scheme before a relative path, and
/// backslashes in a path. It escapes characters that should have been escaped. Windows drive
/// letters have no meaning.
///
/// For schemes such as http, the resolver rejects a host with a backslash or an escape, and an
/// address in octal, hexadecimal or short form. The target of such a link depends on the program
/// that reads it.
///
/// The scheme of the result is in lower case, and its default port is removed. If the scheme needs
/// a host, the host is in lower case, and the path is at least `/` and has no dot segments.
package struct URLResolver: Sendable {
  private let base: URLParts?

  /// Creates a resolver for a base URL. If the base is nil or not an absolute URL, only absolute
  /// links can be resolved.
  package init(base: String?) {
    self.base = base.flatMap { Self().parts(of: $0) }
  }

  /// Whether the resolver has a valid base URL.
  package var hasBase: Bool { if case .some = base { true } else { false } }

  private init() { base = nil }

  /// Returns the absolute URL of a link; nil if the link cannot be resolved.
  package func resolve(_ link: String) -> String? {
    if Self.isCanonical(link) { return link }
    return parts(of: link)?.text
  }

  /// Returns the components of the absolute URL of a link; nil if the link cannot be resolved.
  package func parts(of link: String) -> URLParts? {
    let bytes = Self.cleaned(link)
    var split = URLSplit(bytes)
    let scheme = split.scheme.map { String(decoding: bytes[$0], as: UTF8.self).asciiLowercased }
    guard let effective = scheme ?? base?.scheme else { return nil }
    let isRelative = scheme == nil || scheme == base?.scheme && Self.isRelative(split, effective)
    if URLScheme.needsHost(effective) {
      Self.takeLooseAuthority(&split, bytes, isAbsolute: !isRelative)
    }
    let link = EncodedLink(bytes, split, isSpecial: URLScheme.isSpecial(effective))
    if isRelative && split.authority == nil { return resolved(link) }
    return absolute(link, scheme: effective)
  }

  // MARK: Steps

  /// Resolves a reference against the base (RFC 3986 section 5.2.2). The reference must have no
  /// authority, and either no scheme or the scheme of the base. Returns nil without a base. A base
  /// such as `mailto:someone`, whose path does not begin with `/`, allows only a fragment.
  private func resolved(_ link: EncodedLink) -> URLParts? {
    guard var target = base else { return nil }
    let isOpaque = target.host == nil && !target.path.utf8.starts(with: "/".utf8)
    if isOpaque && !(link.path.isEmpty && link.query == nil && link.fragment != nil) { return nil }
    target.fragment = link.fragment
    guard !link.path.isEmpty || link.query != nil else { return target }
    target.query = link.query
    guard let first = link.path.first else { return target }
    var path: [UInt8] = []
    if first != UInt8(ascii: "/") {
      let basePath = Array(target.path.utf8)
      let slash = basePath.lastIndex(of: UInt8(ascii: "/"))
      path = slash.map { Array(basePath[...$0]) } ?? [UInt8(ascii: "/")]
    }
    target.path = String(
      decoding: URLPath.removeDotSegments(path + link.path), as: UTF8.self)
    return target
  }

  private func absolute(_ link: EncodedLink, scheme: String) -> URLParts? {
    var target = URLParts()
    target.scheme = scheme
    target.query = link.query
    target.fragment = link.fragment
    var path = link.path
    if URLScheme.isSpecial(scheme) && path.first != UInt8(ascii: "/") {
      path.insert(UInt8(ascii: "/"), at: 0)
    }
    let isRooted = link.authority != nil || path.first == UInt8(ascii: "/")
    if isRooted { path = URLPath.removeDotSegments(path) }
    target.path = String(decoding: path, as: UTF8.self)
    guard let bytes = link.authority else {
      if scheme == "file" { target.host = "" }
      return URLScheme.needsHost(scheme) ? nil : target
    }
    // Programs disagree about the target of `http://127.0.0.1\@allowed.test/`.
    if URLScheme.isSpecial(scheme) && bytes.contains(UInt8(ascii: "\\")) { return nil }
    guard let authority = try? URLAuthority(bytes), Self.fill(&target, from: authority),
      target.host?.isEmpty == false || bytes.isEmpty || scheme == "file"
    else { return nil }
    return target
  }

  private static func fill(_ target: inout URLParts, from authority: URLAuthority) -> Bool {
    let scheme = target.scheme ?? ""
    let host: String?
    if scheme == "file" {
      host = authority.host.isEmpty ? "" : URLHost.canonical(authority.host)
    } else {
      host =
        URLScheme.needsHost(scheme)
        ? URLHost.canonical(authority.host) : URLHost.opaque(authority.host)
    }
    guard let host else { return false }
    let hasMore = authority.user != nil || authority.port != nil
    if hasMore && (host.isEmpty || scheme == "file") { return false }
    target.host = scheme == "file" && host == "localhost" ? "" : host
    target.port = authority.port == URLScheme.defaultPort(scheme) ? nil : authority.port
    target.password = authority.password.flatMap { $0.isEmpty ? nil : EncodedLink.user($0) }
    let user = EncodedLink.user(authority.user ?? "")
    target.user = user.isEmpty && target.password == nil ? nil : user
    return true
  }

  /// Whether the link is like `http:page`. In an http document, such a link means the relative
  /// reference `page` (section 5.2.2, "not strict").
  private static func isRelative(_ split: URLSplit, _ scheme: String) -> Bool {
    split.authority == nil && URLScheme.isSpecial(scheme)
  }

  /// Moves the host out of the path in links such as `https:/host`, `https:host` and
  /// `https:///host`.
  private static func takeLooseAuthority(
    _ split: inout URLSplit, _ bytes: [UInt8], isAbsolute: Bool
  ) {
    guard split.authority.map({ $0.isEmpty }) ?? isAbsolute else { return }
    let start = bytes[split.path].firstIndex { $0 != UInt8(ascii: "/") }
    split.takeAuthority(bytes, from: start ?? split.path.upperBound)
  }

  /// Returns the link without spaces and control bytes (0x00 to 0x20) at both ends, and without
  /// line breaks and tabs.
  private static func cleaned(_ link: String) -> [UInt8] {
    var bytes = Array(link.utf8)
    if let last = bytes.lastIndex(where: { $0 > 0x20 }) {
      bytes.removeSubrange((last + 1)...)
    } else {
      return []
    }
    if let first = bytes.firstIndex(where: { $0 > 0x20 }), first > 0 { bytes.removeFirst(first) }
    bytes.removeAll { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    return bytes
  }

  /// Whether a link certainly resolves to itself. Such a link has the scheme http or https, a plain
  /// lower-case hostname, a path, nothing to escape and no segment that begins with a dot. Nearly
  /// all links in feeds are such links, and this check is ten times cheaper than resolving a link.
  private static func isCanonical(_ link: String) -> Bool {
    var link = link
    return link.withUTF8 { bytes in
      var index: Int
      if bytes.starts(with: "https://".utf8) {
        index = 8
      } else if bytes.starts(with: "http://".utf8) {
        index = 7
      } else {
        return false
      }
      var labelStart = index
      while index < bytes.count, plainHost.contains(bytes[index]) {
        if bytes[index] == UInt8(ascii: ".") { labelStart = index &+ 1 }
        index &+= 1
      }
      // A last label such as `0xa` may be read as a number.
      guard index > labelStart, index < bytes.count, bytes[index] == UInt8(ascii: "/"),
        ByteSet.letters.contains(bytes[labelStart]), ByteSet.letters.contains(bytes[index &- 1])
      else { return false }
      var previous = UInt8(ascii: "x")
      for byte in bytes[index...] {
        guard plainRest.contains(byte) else { return false }
        if byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/") { return false }
        previous = byte
      }
      return true
    }
  }

  private static let plainHost = ByteSet("abcdefghijklmnopqrstuvwxyz0123456789-.")
  private static let plainRest = ByteSet.unreserved.union(ByteSet("/?#&=+,;:@!$*()"))
}

/// The components of a link with the necessary escapes (see the percent-encode sets of the URL
/// Standard), but with the authority as in the link. For schemes such as http, `\` in the path
/// becomes `/`, except in a link that begins like `\\host` or `/\host`.
struct EncodedLink {
  var authority: ArraySlice<UInt8>?
  var path: [UInt8]
  var query: String?
  var fragment: String?

  /// Encodes the components of a link. `isSpecial` is true for schemes in whose paths `\` is also a
  /// separator, such as http.
  init(_ bytes: [UInt8], _ split: URLSplit, isSpecial: Bool) {
    authority = split.authority.map { bytes[$0] }
    let isOpaque =
      !isSpecial && split.scheme != nil && split.authority == nil
      && bytes[split.path].first != UInt8(ascii: "/")
    path = Self.escaped(bytes[split.path], isOpaque ? Self.inOpaquePath : Self.inPath)
    if isSpecial {
      let start = bytes[split.path].prefix(2)
      let startsWithTwo =
        start.count == 2
        && start.allSatisfy { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
      // `\\host` is a host for some programs and a path for others. Here, the text stays a path.
      if startsWithTwo && authority == nil
        && start.contains(UInt8(ascii: "\\"))
      {
        path = Self.escaped(bytes[split.path], Self.inPath.union(ByteSet("\\")))
      } else {
        path = path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
      }
    }
    let inQuery = isSpecial ? Self.inQuery.union(ByteSet("'")) : Self.inQuery
    query = split.query.map { String(decoding: Self.escaped(bytes[$0], inQuery), as: UTF8.self) }
    fragment = split.fragment.map {
      String(decoding: Self.escaped(bytes[$0], Self.inFragment), as: UTF8.self)
    }
  }

  /// Percent-encodes a user name or password.
  static func user(_ text: String) -> String {
    String(decoding: escaped(Array(text.utf8)[...], inUser), as: UTF8.self)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>, _ set: ByteSet) -> [UInt8] {
    guard bytes.contains(where: { set.contains($0) || $0 < 0x20 || $0 >= 0x7F }) else {
      return Array(bytes)
    }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if set.contains(byte) || byte < 0x20 || byte >= 0x7F {
        output.appendEscape(byte)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  private static let inOpaquePath = ByteSet("")
  private static let inFragment = ByteSet(" \"<>`")
  private static let inQuery = ByteSet(" \"#<>")
  private static let inPath = inQuery.union(ByteSet("?^`{}"))
  private static let inUser = inPath.union(ByteSet("/:;=@[\\]|"))
}
