/// Mail addresses in the plain form `name@example.org` (RFC 5321, section 4.1.2). Quotes, comments
/// and display names are not allowed, so that a string cannot contain several addresses.
package enum EmailAddress {
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, !parts[0].isEmpty, parts[0].utf8.count <= 64,
      !parts[1].isEmpty
    else { return false }
    return parts[0].utf8.allSatisfy {
      isLetterOrDigit($0) || ".!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
    }
      && parts[1].utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x2D }
      && !parts[0].hasPrefix("-") && !parts[1].hasPrefix("-")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
