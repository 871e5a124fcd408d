import FetchValues

/// A secret of a recorded job. Its value is a dummy that opens nothing.
package struct RecordedSecret: Equatable, Sendable {
  /// The plugin's name for it.
  package var name: String
  package var value: String
  /// The hostnames that may receive it; nil for those that the plugin asks for.
  package var hosts: [HostPattern]?

  package init(_ name: String, value: String? = nil, hosts: [HostPattern]? = nil) {
    self.name = name
    self.value = value ?? "made-up-\(name)"
    self.hosts = hosts
  }

  /// Returns the dummy value of a numeric secret, which differs by its first digits from the others
  /// of a recording. More digits would not survive as a `Double`.
  static func number(_ index: Int) -> String {
    let pair = "\(9 - index % 9)\(index / 9 % 10)"
    return String(repeating: pair, count: 6) + pair.prefix(1)
  }
}
