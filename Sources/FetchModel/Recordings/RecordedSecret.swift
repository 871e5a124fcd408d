import FetchValues

/// A secret of a recorded job. Its value is a dummy that no server accepts.
package struct RecordedSecret: Equatable, Sendable {
  /// The name of the secret in the plugin's manifest.
  package var name: String
  package var value: String
  /// The hostnames that may receive the secret; nil for the hostnames that the plugin requests.
  package var hosts: [HostPattern]?

  package init(_ name: String, value: String? = nil, hosts: [HostPattern]? = nil) {
    self.name = name
    self.value = value ?? "made-up-\(name)"
    self.hosts = hosts
  }

  /// Returns the dummy value of the numeric secret with the given index. The first digits differ
  /// from those of the recording's other numeric secrets. A longer number could not be exact in a
  /// `Double`.
  static func number(_ index: Int) -> String {
    let pair = "\(9 - index % 9)\(index / 9 % 10)"
    return String(repeating: pair, count: 6) + pair.prefix(1)
  }
}
