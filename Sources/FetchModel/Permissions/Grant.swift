/// What the user gave a job. Everything that is not in here is refused.
package struct Grant: Equatable, Sendable {
  /// Hostnames a run may reach.
  package var hosts: [HostPattern] = []
  /// Addresses that are not globally routable (private, loopback, link-local, metadata ...).
  package var privateAddresses = false
  /// Files a `file:` URL may read: each a file, or a folder with all that is in it; absolute.
  package var readPaths: [String] = []
  package var secrets: [SecretGrant] = []

  package init() {}
}
