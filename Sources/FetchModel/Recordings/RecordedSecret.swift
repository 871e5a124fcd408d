import FetchValues

/// A secret that a recorded job is given. Its value is made up: it opens nothing.
package struct RecordedSecret: Equatable, Sendable {
  /// The plugin's name for it.
  package var name: String
  package var value: String
  /// Where it may be sent; nil for where the plugin asks to send it.
  package var hosts: [HostPattern]?

  package init(_ name: String, value: String? = nil, hosts: [HostPattern]? = nil) {
    self.name = name
    self.value = value ?? "made-up-\(name)"
    self.hosts = hosts
  }

  /// The made-up value for a secret that is a number; for each of a recording another one, told
  /// from the others by its first digits. With more digits it would not survive a `Double` in text.
  static func number(_ index: Int) -> String {
    let pair = "\(9 - index % 9)\(index / 9 % 10)"
    return String(repeating: pair, count: 6) + pair.prefix(1)
  }
}
