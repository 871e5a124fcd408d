package import FetchModel
package import FetchStore

extension StoreReader {
  /// What a job's plugin was granted, by the name of its grants; nil when it has never run,
  /// by this or another name of its file.
  package func grant(of job: String, plugin: String) throws(StoreError) -> PinnedGrant? {
    guard hasGrants else { return nil }
    return try read { try GrantRow.grant(of: job, plugin: plugin, $0) }
  }

  /// What all plugins of a job were granted, the latest first.
  package func grants(of job: String) throws(StoreError) -> [PinnedGrant] {
    guard hasGrants else { return [] }
    return try read { try GrantRow.grants(of: job, $0) }
  }

  /// What the file of a hook was granted, by the name of the file's grants; nil when it has
  /// never been called.
  package func grant(
    ofHook hook: String, plugin: String
  ) throws(StoreError) -> PinnedGrant? {
    guard hasScheduling else { return nil }
    return try read { try GrantRow.grant(ofHook: hook, plugin: plugin, $0) }
  }
}
