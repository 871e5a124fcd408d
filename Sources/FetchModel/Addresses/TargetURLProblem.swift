/// The reason why an address is rejected.
enum TargetURLProblem: Error {
  case tooLong, noScheme, unsupportedScheme(String), noAuthority, noHost
  case backslash, space, controlByte, userInfo
  case percentInHost, nonASCIIHost, oddHost, oddIPv4, oddIPv6, oddPort, fileHost

  func failure(of text: String) -> Failure {
    Failure(.invalidURL, "the address \(Self.quoted(text)) \(phrase(for: text))")
  }

  private func phrase(for text: String) -> String {
    switch self {
    case .tooLong: "is longer than \(TargetURL.bytesMax) bytes"
    case .noScheme where text.hasPrefix("/") && !text.hasPrefix("//"):
      "is a path: write file://\(text)"
    case .noScheme where text.hasPrefix("./") || text.hasPrefix("../") || text.hasPrefix("~"):
      "is a path: write file:// and the whole path, such as file:///home/me/feed.xml"
    case .noScheme: "has no scheme; write one, as in https://example.org/"
    case .unsupportedScheme(let scheme):
      "has the unsupported scheme \(scheme); use http, https or file"
    case .noAuthority: "has no // after the scheme; write // after the colon"
    case .noHost: "has no hostname"
    case .backslash: "has a backslash in it; write / or %5C"
    case .space: "has a space in it; remove it, or write %20 if it belongs to the path or the query"
    case .controlByte: "has a control character in it"
    case .userInfo: "has a user name in it; use basic authentication instead"
    case .percentInHost: "has a percent sign in the hostname; write the hostname unencoded"
    case .nonASCIIHost: "has a hostname that is not ASCII; write the xn-- form"
    case .oddHost: "has an invalid hostname; write one such as example.org"
    case .oddIPv4: "has an invalid IPv4 address; write one such as 192.0.2.1"
    case .oddIPv6: "has an invalid IPv6 address; write one such as [2001:db8::1]"
    case .oddPort: "has a port that is not a number from 1 to 65535"
    case .fileHost: "is a file address with a hostname; write file:///path"
    }
  }

  /// Returns the address for a message: shortened, and with control characters replaced. Hides the
  /// text before the last `@` if it may contain a user name or a password.
  private static func quoted(_ text: String) -> String {
    let bytes = text.utf8
    var start = bytes.startIndex
    if let slash = bytes.firstIndex(of: UInt8(ascii: "/")) {
      let next = bytes.index(after: slash)
      if next < bytes.endIndex, bytes[next] == UInt8(ascii: "/") {
        start = bytes.index(after: next)
      }
    }
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), at >= start else {
      return "\"\(shortened(text[...]))\""
    }
    let before = bytes[start..<at]
    let isPath = before.contains { [UInt8(ascii: "/"), UInt8(ascii: "?")].contains($0) }
    guard !isPath || before.contains(UInt8(ascii: ":")) else {
      return "\"\(shortened(text[...]))\""
    }
    return "\"...@\(shortened(text[bytes.index(after: at)...]))\""
  }

  private static func shortened(_ text: Substring) -> String {
    let shownMax = 80
    let visible = text.unicodeScalars.prefix(shownMax).map { scalar -> Character in
      let isControl = scalar.properties.generalCategory == .control
      return isControl ? "\u{FFFD}" : Character(scalar)
    }
    return String(visible) + (text.unicodeScalars.dropFirst(shownMax).isEmpty ? "" : "...")
  }
}
