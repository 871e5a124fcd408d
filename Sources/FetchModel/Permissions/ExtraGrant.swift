/// What a grant gives beyond the hostnames that may be asked: secrets, private addresses and files.
///
/// Runs in one worker process could speak for each other if it was broken into, so they share one
/// only where this is equal.
package struct ExtraGrant: Hashable, Sendable {
  private var secrets: [SecretGrant] = []
  private var sources: [String: SecretSource] = [:]
  private var privateAddresses = PrivateAddresses.none
  private var readPaths: [String] = []
  private var folder: String?
  private var writePaths: [FilePath]?

  /// Nothing.
  package init() {}

  /// - Parameters:
  ///   - sources: where the values of the granted secrets are, by their names.
  ///   - folder: where the files of the grant's holder are.
  package init(_ grant: Grant, sources: [String: SecretSource], folder: String?) {
    secrets = grant.secrets
    self.sources = grant.secrets.isEmpty ? [:] : sources
    privateAddresses = grant.privateAddresses
    readPaths = grant.readPaths
    if grant.keepsFiles {
      self.folder = folder
      writePaths = grant.writePaths
    }
  }
}
