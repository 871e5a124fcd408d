/// A hostname, or `*.example.org` for every name below example.org (not example.org itself), or `*`.
///
/// Names are compared lower-case and in ASCII form; a trailing dot is dropped.
package struct HostPattern: Hashable, Sendable {
  package let text: String

  /// nil when the text is neither a hostname, an IP address nor such a pattern.
  package init?(_ text: String) {
    let name = Self.normalized(text)
    let rest = name == "*" ? "any" : name.hasPrefix("*.") ? String(name.dropFirst(2)) : name
    guard !rest.isEmpty, rest.utf8.count <= 253, rest.utf8.allSatisfy(Self.isHostByte),
      !rest.hasPrefix("."), !rest.utf8.elementsEqual(".".utf8)
    else { return nil }
    self.text = name
  }

  package func matches(_ hostname: String) -> Bool {
    let name = Self.normalized(hostname)
    if text == "*" { return true }
    guard text.hasPrefix("*.") else { return name.utf8.elementsEqual(text.utf8) }
    let suffix = text.dropFirst(1)
    return name.utf8.count > suffix.utf8.count && name.hasSuffix(suffix)
  }

  private static func normalized(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
