import FetchValues

/// A secret that a run may use, with the only servers that may receive the secret.
package struct SecretGrant: Hashable, Sendable {
  package var name: String
  package var hosts: [HostPattern]

  package init(name: String, hosts: [HostPattern]) {
    self.name = name
    self.hosts = hosts
  }
}

extension SecretGrant {
  /// Returns why the secret may not be sent to the server at the address; nil if it may.
  package func check(_ target: TargetURL) -> Failure? {
    if hosts.contains(where: { $0.matches(target) }) { return nil }
    let granted = hosts.isEmpty ? "no hostname" : hosts.map(\.text).joined(separator: ", ")
    return Failure(
      .permission,
      "the secret '\(name)' may not be sent to \(HostPattern.missingPlace(of: target, in: hosts)) (granted: \(granted)); "
        + "add the server to `hosts` of the secret in the config if you trust it")
  }
}
