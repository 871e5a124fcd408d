import FetchValues

/// The address of a proxy for requests, with an optional login.
package struct HTTPProxy: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case http, https, socks4, socks4a, socks5, socks5h
  }

  package var kind: Kind
  package var hostname: String
  package var port: UInt16
  package var user: String?
  package var password: String?

  /// Parses `[scheme://][user[:password]@]host[:port][/]`. As in curl, the default scheme is http.
  /// The default port is 1080, but 443 for https.
  package init?(_ text: String) {
    let mark = text.firstRange(of: "://")
    let rest = mark.map { String(text[$0.upperBound...]) } ?? text
    let scheme = mark.map { text[..<$0.lowerBound].asciiLowercased } ?? "http"
    guard let kind = Kind(rawValue: scheme == "socks" ? "socks4" : scheme) else { return nil }
    self.kind = kind
    let end = rest.lastIndex(of: "@")
    let place = end.map { rest[rest.index(after: $0)...] } ?? rest[...]
    guard let target = try? TargetURL("https://" + place), target.path == "/", target.query == nil
    else { return nil }
    hostname = target.hostname
    port = Self.hasPort(place) ? target.port : kind == .https ? 443 : 1080
    guard let end else { return }
    let login = rest[..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let user = Self.decoded(login.first ?? "") else { return nil }
    self.user = user
    guard login.count == 2 else { return }
    guard let password = Self.decoded(login[1]) else { return nil }
    self.password = password
  }

  /// The address without the login, for messages and for libcurl. The login is passed to libcurl
  /// separately.
  package var text: String {
    let host = hostname.contains(":") ? "[\(hostname)]" : hostname
    return "\(kind.rawValue)://\(host):\(port)"
  }

  private static func hasPort(_ place: Substring) -> Bool {
    let host = place.drop { $0 != "]" }
    return (host.isEmpty ? place : host).contains(":")
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes.contains { $0 < 0x20 || $0 == 0x7F }
      ? nil : String(validating: bytes, as: UTF8.self)
  }
}
