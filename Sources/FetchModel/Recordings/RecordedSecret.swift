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
}
