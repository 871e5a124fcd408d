package import FetchModel
package import FetchStore

/// The grants of jobs and hooks.
extension StoreQueries {
  /// Returns what all plugins of a job were granted, the latest first.
  package func grants(of job: String) async throws(StoreError) -> [PinnedGrant] {
    try await reader.grants(of: job)
  }

  /// Returns what the file of a job or a hook was granted; nil where nothing is remembered.
  package func grant(of claimant: GrantClaimant) async throws(StoreError) -> PinnedGrant? {
    let plugin = claimant.job.plugin.name
    switch claimant.holder {
    case .job(let name): return try await reader.grant(of: name, plugin: plugin)
    case .hook(let name): return try await reader.grant(ofHook: name, plugin: plugin)
    }
  }
}
