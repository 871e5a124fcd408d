import FetchValues

/// The parser and resolver of addresses by RFC 3986 sections 3 and 5, with the stricter rules of
/// `TargetURL`.
extension TargetURL {
  /// The checked parts of an address, in the bytes of its text.
  private struct Parts {
    var scheme: Scheme
    var host: TargetHost?
    var port: UInt16
    var path: ArraySlice<UInt8>
    var query: ArraySlice<UInt8>?
  }

  static func parse(_ bytes: [UInt8]) throws(TargetURLProblem) -> TargetURL {
    let parts = try parts(bytes)
    return TargetURL(
      scheme: parts.scheme, host: parts.host, port: parts.port, path: parts.path,
      query: parts.query)
  }

  /// Returns the scheme and the hostname of an address. Throws the same failures as `init`, which
  /// takes longer because it also builds the normal form of the address.
  package static func server(
    of text: String
  ) throws(Failure) -> (scheme: Scheme, hostname: String) {
    do throws(TargetURLProblem) {
      let parts = try parts(Array(text.utf8))
      return (parts.scheme, parts.host?.name ?? "")
    } catch {
      throw error.failure(of: text)
    }
  }

  private static func parts(_ bytes: [UInt8]) throws(TargetURLProblem) -> Parts {
    try refuseDisputedBytes(bytes)
    guard let colon = schemeEnd(bytes) else { throw .noScheme }
    let scheme = try Scheme(bytes[..<colon])
    var rest = bytes[(colon + 1)...]
    guard rest.popFirst() == slash, rest.popFirst() == slash else { throw .noAuthority }
    let authority = rest.prefix { $0 != slash && $0 != question && $0 != hash }
    let afterAuthority = rest[authority.endIndex...]
    let path = afterAuthority.prefix { $0 != question && $0 != hash }
    let query = afterAuthority[path.endIndex...].prefix { $0 != hash }
    let (host, port) = try hostAndPort(authority, scheme)
    return Parts(
      scheme: scheme, host: host, port: port, path: path,
      query: query.isEmpty ? nil : query.dropFirst())
  }

  /// Resolves a reference, such as a `Location` header, against this address (RFC 3986 section
  /// 5.2).
  package func resolving(_ reference: String) throws(Failure) -> TargetURL {
    do throws(TargetURLProblem) {
      return try Self.parse(absolute(Array(reference.utf8)))
    } catch {
      throw error.failure(of: reference)
    }
  }

  private func absolute(_ reference: [UInt8]) -> [UInt8] {
    if Self.schemeEnd(reference) != nil { return reference }
    if reference.starts(with: "//".utf8) { return Array("\(scheme.rawValue):".utf8) + reference }
    let base = scheme == .file ? "file://" : origin
    if reference.first == Self.slash { return Array(base.utf8) + reference }
    if reference.first == Self.question { return Array((base + path).utf8) + reference }
    if reference.isEmpty || reference.first == Self.hash { return Array(text.utf8) }
    let folder = path.utf8.reversed().drop { $0 != Self.slash }.reversed()
    return Array(base.utf8) + folder + reference
  }

  private static let slash = UInt8(ascii: "/")
  private static let question = UInt8(ascii: "?")
  private static let hash = UInt8(ascii: "#")

  private static func refuseDisputedBytes(_ bytes: [UInt8]) throws(TargetURLProblem) {
    if bytes.count > bytesMax { throw .tooLong }
    let backslash = UInt8(ascii: "\\")
    switch bytes.first(where: { $0 <= 0x20 || $0 == 0x7F || $0 == backslash }) {
    case nil: break
    case backslash: throw .backslash
    case UInt8(ascii: " "): throw .space
    default: throw .controlByte
    }
  }

  /// Returns the index of the colon after the scheme; nil if there is no scheme.
  private static func schemeEnd(_ bytes: [UInt8]) -> Int? {
    guard let first = bytes.first, first.isASCIILetter,
      let end = bytes.firstIndex(where: { !isSchemeByte($0) }), bytes[end] == UInt8(ascii: ":")
    else { return nil }
    return end
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ByteSet.scheme.contains(byte)
  }

  private static func hostAndPort(
    _ authority: ArraySlice<UInt8>, _ scheme: Scheme
  ) throws(TargetURLProblem) -> (TargetHost?, UInt16) {
    if authority.contains(UInt8(ascii: "@")) { throw .userInfo }
    if scheme == .file {
      guard authority.isEmpty || authority.elementsEqual("localhost".utf8) else { throw .fileHost }
      return (nil, 0)
    }
    let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
    let searched = authority[(bracket ?? authority.startIndex)...]
    let colon = searched.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    let host = try TargetHost(authority[..<colon])
    return (host, try port(authority[colon...].dropFirst(), scheme))
  }

  private static func port(
    _ digits: ArraySlice<UInt8>, _ scheme: Scheme
  ) throws(TargetURLProblem) -> UInt16 {
    if digits.isEmpty { return scheme.defaultPort }
    guard digits.count <= 5, digits.allSatisfy(\.isASCIIDigit) else { throw .oddPort }
    let number = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    guard let port = UInt16(exactly: number), port > 0 else { throw .oddPort }
    return port
  }
}

extension TargetURL.Scheme {
  /// Reads a scheme in upper or lower case.
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(TargetURLProblem) {
    let name = String(decoding: bytes, as: UTF8.self)
    guard let scheme = Self(rawValue: name) ?? Self(rawValue: name.asciiLowercased) else {
      throw .unsupportedScheme(name.asciiLowercased)
    }
    self = scheme
  }
}

extension TargetURL {
  /// Returns the path without its dot segments (RFC 3986 section 5.2.4); the result begins with
  /// `/`.
  static func removingDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // Most paths have no dot segments, so the function usually returns here.
    let dot = UInt8(ascii: ".")
    if path.first == slash, !zip(path, path.dropFirst()).contains(where: { $0 == (slash, dot) }) {
      return path
    }
    let segments = path.split(separator: slash, omittingEmptySubsequences: false).dropFirst()
    var kept: [ArraySlice<UInt8>] = []
    for segment in segments {
      if segment.elementsEqual("..".utf8) {
        _ = kept.popLast()
      } else if !segment.elementsEqual(".".utf8) {
        kept.append(segment)
      }
    }
    let isFolder = segments.last.map { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }
    if isFolder ?? true { kept.append([]) }
    return Array(([[]] + kept).joined(separator: [slash]))[...]
  }

  /// Appends the bytes, with the bytes that are not in `allowed` percent-encoded. Existing escapes
  /// stay unchanged. A percent sign that is not part of an escape is encoded, so that servers read
  /// it as a percent sign.
  static func append(_ bytes: ArraySlice<UInt8>, allowed: ByteSet, to text: inout [UInt8]) {
    var rest = bytes
    while let other = rest.firstIndex(where: { !allowed.contains($0) }) {
      text += rest[..<other]
      let byte = rest[other]
      let next = rest[(other + 1)...]
      text.append(UInt8(ascii: "%"))
      if byte == UInt8(ascii: "%"), isHexPair(next.prefix(2)) {
        text += next.prefix(2)
        rest = next.dropFirst(2)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        rest = next
      }
    }
    text += rest
  }

  /// The bytes of a path: `pchar` (RFC 3986 section 3.3) without escapes, and the slash.
  static let pathBytes = ByteSet.unreserved.union(ByteSet("!$&'()*+,;=:@/"))
  /// The bytes of a query (RFC 3986 section 3.4).
  static let queryBytes = pathBytes.union(ByteSet("?"))

  private static func isHexPair(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 2 && bytes.allSatisfy(\.isASCIIHexDigit)
  }
}
