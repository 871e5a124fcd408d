package import FetchModel
internal import GRDB

extension StoreReader {
  /// What a job's plugin was granted, by the name that the user gave it; nil when it has never run.
  package func grant(of job: String, plugin: String) throws(StoreError) -> PinnedGrant? {
    guard hasGrants else { return nil }
    return try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(GrantRow.columns) FROM grants JOIN jobs ON jobs.id = grants.job
        WHERE jobs.name = ? AND grants.plugin = ?
        """)
      row.bind(1, job)
      row.bind(2, plugin)
      defer { row.reset() }
      return try row.step() ? GrantRow.grant(row, from: 0) : nil
    }
  }

  /// What all plugins of a job were granted, the latest first.
  package func grants(of job: String) throws(StoreError) -> [PinnedGrant] {
    guard hasGrants else { return [] }
    return try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(GrantRow.columns) FROM grants JOIN jobs ON jobs.id = grants.job
        WHERE jobs.name = ? ORDER BY grants.granted_at DESC, grants.plugin
        """)
      row.bind(1, job)
      var grants: [PinnedGrant] = []
      while try row.step() {
        if let grant = GrantRow.grant(row, from: 0) { grants.append(grant) }
      }
      return grants
    }
  }

  /// What the file of a hook was granted; nil when it has never been called.
  package func grant(ofHook hook: String) throws(StoreError) -> PinnedGrant? {
    guard hasScheduling else { return nil }
    return try read { try GrantRow.grant(ofHook: hook, $0) }
  }
}
