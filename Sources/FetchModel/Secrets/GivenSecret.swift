import FetchValues

/// A secret that the user gives a job.
package struct GivenSecret: Equatable, Sendable {
  package var name: String
  package var source: SecretSource
  /// The hostnames that may receive it; nil for those that the plugin asks for.
  package var hosts: [HostPattern]?

  package init(name: String, source: SecretSource, hosts: [HostPattern]? = nil) {
    self.name = name
    self.source = source
    self.hosts = hosts
  }
}
