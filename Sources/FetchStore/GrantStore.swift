package import FetchModel

/// The grants of plugins and hook files.
package protocol GrantReading: Sendable {
  /// Returns what a job's plugin was granted, by the name of its grants; nil where it has never run, by
  /// this or another name of its file (see `GrantName.grant`).
  func grant(of job: String, plugin: String) async throws(StoreError) -> PinnedGrant?

  /// Returns what all plugins of a job were granted, the latest first.
  func grants(of job: String) async throws(StoreError) -> [PinnedGrant]

  /// Returns what the file of a hook was granted, by the name of the file's grants; nil where it has
  /// never been called.
  func grant(ofHook hook: String, plugin: String) async throws(StoreError) -> PinnedGrant?
}

/// The grants of plugins and hook files, for those who change them. The grant of a run is kept by its
/// commit.
package protocol GrantStore: GrantReading {
  /// Keeps what a job's plugin is granted from now on; a job that has never run is made, with the name
  /// in its plugin's manifest.
  func keep(_ grant: PinnedGrant, of job: String, manifestName: String) async throws(StoreError)

  /// Keeps what the file of a hook is granted from now on.
  func keep(_ grant: PinnedGrant, ofHook hook: String) async throws(StoreError)
}
