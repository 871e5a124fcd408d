import FetchValues

/// An address within the page: a path of encoded segments, and a query.
///
/// It begins with one slash and a segment that is not empty, so it cannot lead to another host.
package struct LocalAddress: Hashable, Sendable {
  package private(set) var text: String

  /// Creates the address of the overview.
  package init() { text = "/" }

  /// Creates an address from its segments, which may be any text.
  package init(_ segments: String...) {
    text = "/" + segments.map(Self.encoded).joined(separator: "/")
  }

  /// Creates an address from a path of this server, as `PageActions.ownPath` has checked it.
  init(ownPath: String) { text = ownPath }

  /// Returns the address with a parameter added; without it if `value` is nil.
  package func adding(_ name: String, _ value: String?) -> LocalAddress {
    guard let value else { return self }
    var copy = self
    copy.text += (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
    copy.text += Self.encoded(name) + "=" + Self.encoded(value)
    return copy
  }

  /// Encodes all bytes but the unreserved ones (RFC 3986, 2.3). A segment of one or two dots, which
  /// clients would resolve, has its dots encoded too.
  private static func encoded(_ text: String) -> String {
    let isDots = text == "." || text == ".."
    var encoded = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(scalar)
      case UInt8(ascii: ".") where !isDots: encoded.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
    return encoded
  }
}

extension HTML.StringInterpolation {
  /// Appends an address within the page, for an attribute.
  package mutating func appendInterpolation(_ address: LocalAddress) {
    appendInterpolation(address.text)
  }

  /// Appends a link to a page elsewhere with `label` as its text. Only an `http:` or `https:`
  /// address becomes a link; of any other, only the label is shown.
  package mutating func appendInterpolation(link address: String?, _ label: String) {
    guard let address, Self.isWeb(address) else {
      appendInterpolation(label)
      return
    }
    let link: HTML =
      "<a href=\"\(address)\" rel=\"noopener noreferrer\">\(label)</a>"
    appendInterpolation(link)
  }

  private static func isWeb(_ address: String) -> Bool {
    let start = address.prefix(8).lowercased()
    guard start.hasPrefix("https://") || start.hasPrefix("http://") else { return false }
    // Browsers remove line breaks and tabs from addresses before they read them.
    return !address.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}
