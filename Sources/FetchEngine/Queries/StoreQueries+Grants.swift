package import FetchModel
package import FetchStore
package import FetchValues

/// The queries for grants of jobs and hooks.
extension StoreQueries {
  /// Returns the grants of all plugins of a job, newest first.
  package func grants(of job: JobName) async throws(StoreError) -> [PinnedGrant] {
    try await reader.grants(of: job)
  }

  /// Returns the grant of a job's or a hook's file; nil if there is none.
  package func grant(of claimant: GrantClaimant) async throws(StoreError) -> PinnedGrant? {
    let plugin = claimant.job.plugin.name
    switch claimant.holder {
    case .job(let name): return try await reader.grant(of: name, plugin: plugin)
    case .hook(let name): return try await reader.grant(ofHook: name, plugin: plugin)
    }
  }
}
