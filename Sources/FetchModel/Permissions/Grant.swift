/// What the user gave a job. Everything that is not in here is refused.
package struct Grant: Equatable, Sendable {
  /// The servers a run may reach.
  package var hosts: [HostPattern] = []
  /// Addresses that are not globally routable, whatever name leads there.
  package var privateAddresses = PrivateAddresses.none
  /// Files a `file:` URL may read: each a file, or a folder with all that is in it; absolute.
  package var readPaths: [String] = []
  package var secrets: [SecretGrant] = []
  /// Where in the job's own folder files may be put; nil for all of it.
  package var writePaths: [FilePath]?
  /// Whether a run may write into the job's own folder, and have transfers put there.
  package var keepsFiles = false

  package init() {}
}

extension Grant {
  /// Why what is at a path of the job's own folder may not be put there, replaced or removed; nil where
  /// the config has no word against it.
  package func writeRefusal(_ path: FilePath) -> Failure? {
    guard let writePaths, !writePaths.contains(where: { $0.holds(path) }) else { return nil }
    let granted = writePaths.map(\.text).joined(separator: ", ")
    return Failure(
      .permission,
      "the plugin may not write \(path.text) in the job's folder (granted: "
        + "\(granted.isEmpty ? "nothing" : granted)); add it to allow.write in the config")
  }
}
