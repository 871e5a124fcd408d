internal import FetchModel

extension WriterConnection {
  func setGrant(_ grant: PinnedGrant, job: Int64) throws {
    let row = statements.setGrant
    row.bind(1, job)
    row.bind(2, grant.plugin)
    row.bind(3, grant.hash)
    row.bind(4, grant.text)
    row.bind(5, grant.grantedAt)
    row.bind(6, grant.source.rawValue)
    try row.run()
  }

  /// Of a job that may never have run.
  func keep(_ grant: PinnedGrant, ofJob name: String, manifestName: String) throws {
    try setGrant(grant, job: try existingJobID(name) ?? makeJob(name, plugin: manifestName))
  }

  func grant(ofJob name: String, plugin: String) throws -> PinnedGrant? {
    statements.job.bind(1, name)
    statements.job.bind(2, plugin)
    guard try statements.job.step() else { return nil }
    defer { statements.job.reset() }
    return GrantRow.grant(statements.job, from: 3)
  }
}
