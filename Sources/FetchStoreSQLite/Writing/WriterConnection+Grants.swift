internal import FetchModel
internal import FetchValues

extension WriterConnection {
  func setGrant(_ grant: PinnedGrant, job: Int64) throws {
    let row = try statement(.setGrant)
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
    try GrantRow.grant(of: name, plugin: plugin, db)
  }

  func keep(_ grant: PinnedGrant, ofHook hook: String) throws {
    var writer = ValueWriter()
    writer.write(grant.value)
    try setLedger(writer.bytes, name: GrantRow.name(ofHook: hook))
  }
}
