package import FetchModel

/// The grants of plugins and hook files.
package protocol GrantReading: Sendable {
  /// Returns the grant of a job's plugin by the grant's name; nil if the plugin has never run, by
  /// this or another name of its file (see `GrantName.grant`).
  func grant(of job: String, plugin: String) async throws(StoreError) -> PinnedGrant?

  /// Returns the grants of all plugins of a job, newest first.
  func grants(of job: String) async throws(StoreError) -> [PinnedGrant]

  /// Returns the grant of a hook's file by the grant's name; nil if the file has never been called.
  func grant(ofHook hook: String, plugin: String) async throws(StoreError) -> PinnedGrant?
}

/// Writes the grants of plugins and hook files. A run's commit stores the run's own grant.
package protocol GrantStore: GrantReading {
  /// Stores a new grant of a job's plugin. A job that has never run is created, with the name in
  /// its plugin's manifest.
  func keep(_ grant: PinnedGrant, of job: String, manifestName: String) async throws(StoreError)

  /// Stores a new grant of a hook's file.
  func keep(_ grant: PinnedGrant, ofHook hook: String) async throws(StoreError)
}
