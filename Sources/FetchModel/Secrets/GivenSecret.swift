import FetchValues

/// A secret that the user gives to a job.
package struct GivenSecret: Equatable, Sendable {
  package var name: String
  package var source: SecretSource
  /// The hostnames that may receive the secret; nil for the hostnames that the plugin requests.
  package var hosts: [HostPattern]?

  package init(name: String, source: SecretSource, hosts: [HostPattern]? = nil) {
    self.name = name
    self.source = source
    self.hosts = hosts
  }
}
