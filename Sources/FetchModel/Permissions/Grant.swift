/// What the user gave a job. Everything that is not in here is refused.
package struct Grant: Equatable, Sendable {
  /// Hostnames a run may reach.
  package var hosts: [HostPattern] = []
  /// Addresses that are not globally routable, whatever name leads there.
  package var privateAddresses = PrivateAddresses.none
  /// Files a `file:` URL may read: each a file, or a folder with all that is in it; absolute.
  package var readPaths: [String] = []
  package var secrets: [SecretGrant] = []
  /// Whether a run may write into the job's own folder, and have transfers put there.
  package var keepsFiles = false

  package init() {}
}
