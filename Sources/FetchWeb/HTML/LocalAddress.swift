import FetchValues

/// An address of this server: a path of encoded segments, and perhaps a query.
///
/// The first segment must not be empty. An address that begins with two slashes would lead to
/// another host.
package struct LocalAddress: Hashable, Sendable {
  package private(set) var text: String

  /// Creates the address of the overview.
  package init() { text = "/" }

  /// Creates an address from its segments, which are not encoded yet.
  package init(_ segments: String...) {
    text = "/" + segments.map(Self.encoded).joined(separator: "/")
  }

  /// Creates an address from a path with its query. `PageActions.ownPath` must accept the path.
  init(ownPath: String) { text = ownPath }

  /// Returns the address with the parameter added. If `value` is nil, returns the address
  /// unchanged.
  package func adding(_ name: String, _ value: String?) -> LocalAddress {
    guard let value else { return self }
    var copy = self
    copy.text += (text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?")
    copy.text += Self.encoded(name) + "=" + Self.encoded(value)
    return copy
  }

  /// Returns the text with all bytes except unreserved characters encoded (RFC 3986, 2.3). If the
  /// whole text is `.` or `..`, the dots are encoded too.
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
  /// Appends an address of this server, for an attribute.
  package mutating func appendInterpolation(_ address: LocalAddress) {
    appendInterpolation(address.text)
  }

  /// Appends a link to another site with `label` as its text. Appends only the label unless the
  /// address begins with `http://` or `https://` and has no spaces or ASCII control characters.
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
    // Browsers remove line breaks and tabs from an address before they use it.
    return !address.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }
}
