/// A hostname, or `*.example.org` for every name below example.org (not example.org itself), or `*`.
///
/// Names are compared lower-case and in ASCII form; a trailing dot is dropped; an IPv6 address is
/// written with or without brackets.
package struct HostPattern: Hashable, Sendable {
  package let text: String

  /// nil when the text is neither a hostname, an IP address nor such a pattern.
  package init?(_ text: String) {
    if text == "*" {
      self.text = text
      return
    }
    let isSubtree = text.hasPrefix("*.")
    let name = isSubtree ? String(text.dropFirst(2)) : text
    let host = IPAddress(name)?.isV6 == true ? "[\(name)]" : name
    guard let parsed = try? TargetHost(Array(host.utf8)[...]),
      !isSubtree || parsed.address == nil
    else { return nil }
    self.text = isSubtree ? "*." + parsed.name : parsed.name
  }

  /// The hostname of that address alone; nil for a file's, which has none.
  package init?(of target: TargetURL) {
    if target.scheme == .file { return nil }
    text = target.hostname
  }

  /// Takes a hostname as `TargetURL` has it: lower case, no brackets.
  package func matches(_ hostname: String) -> Bool {
    if text == "*" { return true }
    guard text.hasPrefix("*.") else { return hostname.hasSameBytes(as: text) }
    let suffix = text.utf8.dropFirst(1)
    return hostname.utf8.count > suffix.count
      && hostname.utf8.suffix(suffix.count).elementsEqual(suffix)
  }
}

extension HostPattern {
  /// Whether whatever the other one matches is matched.
  package func covers(_ other: HostPattern) -> Bool {
    if text == "*" || text.hasSameBytes(as: other.text) { return true }
    guard other.text.hasPrefix("*.") else { return matches(other.text) }
    return text.hasPrefix("*.") && matches(String(other.text.dropFirst(2)))
  }
}
