import FetchValues

/// The target of a request (RFC 9112, 3.2): its decoded path and its query.
package struct RequestTarget: Equatable, Sendable {
  /// The decoded segments of the path; one empty segment for `/`.
  package var segments: [String]
  package var query: [(name: String, value: String)]
  /// The path in the form in which it was sent, without the query. Messages must never contain the
  /// query, which may have a token.
  package var path: String
  /// The authority of a target in absolute form; nil for other targets.
  package var authority: String?

  private static let queryPairsMax = 64

  package init(_ text: String) throws(WebProblem) {
    var rest = Substring(text)
    for scheme in ["http://", "https://"] where text.asciiLowercased.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
      let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
      // An empty path means `/` (RFC 9112, 3.2.1).
      if rest.first != "/" { rest.insert("/", at: rest.startIndex) }
    }
    guard rest.hasPrefix("/"), !rest.utf8.contains(UInt8(ascii: "#")) else {
      throw Self.problem("the path must begin with '/', and the target must not contain '#'")
    }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    var segments: [String] = []
    for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      segments.append(try Self.decoded(segment.utf8, plusIsSpace: false))
    }
    self.segments = segments
    query = []
    guard parts.count == 2 else { return }
    for pair in parts[1].split(separator: "&") {
      guard query.count < Self.queryPairsMax else { throw Self.problem("too many parameters") }
      let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) ?? pair.utf8.endIndex
      query.append(
        (
          try Self.decoded(pair.utf8[..<equals], plusIsSpace: true),
          try Self.decoded(pair.utf8[equals...].dropFirst(), plusIsSpace: true)
        ))
    }
  }

  package static func == (left: RequestTarget, right: RequestTarget) -> Bool {
    left.segments == right.segments && left.path == right.path && left.authority == right.authority
      && left.query.elementsEqual(right.query) { $0 == $1 }
  }

  private static func decoded(
    _ bytes: Substring.UTF8View, plusIsSpace: Bool
  ) throws(WebProblem) -> String {
    var left = bytes
    while let percent = left.firstIndex(of: UInt8(ascii: "%")) {
      left = left[left.index(after: percent)...]
      guard left.prefix(2).count == 2, left.prefix(2).allSatisfy(\.isASCIIHexDigit) else {
        throw problem("a '%' must be followed by two hexadecimal digits")
      }
    }
    let decoded = PercentEncoding.decode(bytes, plusIsSpace: plusIsSpace)
    guard !decoded.contains(0), let text = String(validating: decoded, as: UTF8.self) else {
      throw problem("the target must be UTF-8 without zero bytes")
    }
    return text
  }

  private static func problem(_ what: String) -> WebProblem {
    WebProblem(.badRequest, 400, "invalid request: \(what)")
  }
}
