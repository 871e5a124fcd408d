/// A secret that a run may use, and the only hostnames it goes to.
package struct SecretGrant: Hashable, Sendable {
  package var name: String
  package var hosts: [HostPattern]

  package init(name: String, hosts: [HostPattern]) {
    self.name = name
    self.hosts = hosts
  }
}

extension SecretGrant {
  /// nil when the secret may be sent to that hostname, which is as `TargetURL` has it.
  package func check(_ hostname: String) -> Failure? {
    if hosts.contains(where: { $0.matches(hostname) }) { return nil }
    let granted = hosts.isEmpty ? "no hostname" : hosts.map(\.text).joined(separator: ", ")
    return Failure(
      .permission,
      "the secret '\(name)' may not be sent to \(hostname) (granted: \(granted)); "
        + "add it to the hosts of the secret in the config, if you trust it")
  }
}
