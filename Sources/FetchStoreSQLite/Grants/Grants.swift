package import FetchModel
package import FetchStore
package import FetchValues

extension GrantRow {
  /// Returns the grant of a job's plugin under the given name. If there is none, returns the grant
  /// that `GrantName.grant` selects from the job's grants under other names. Returns nil if that
  /// function selects none.
  static func grant(of job: JobName, plugin: String, _ db: SQLConnection) throws -> PinnedGrant? {
    selected(plugin, among: try grants(of: job, db))
  }

  /// Returns the grants of all plugins of a job, newest first.
  static func grants(of job: JobName, _ db: SQLConnection) throws -> [PinnedGrant] {
    let row = try SQLStatement(
      db,
      """
      SELECT \(columns) FROM grants JOIN jobs ON jobs.id = grants.job
      WHERE jobs.name = ? ORDER BY grants.granted_at DESC, grants.plugin
      """)
    row.bind(1, job)
    var grants: [PinnedGrant] = []
    while try row.step() {
      if let grant = grant(row, from: 0) { grants.append(grant) }
    }
    return grants
  }

  /// Returns the grant of a hook, adapted to the given name by `GrantName.grant`. If that function
  /// returns nil, returns the grant unchanged. Returns nil if the hook has no grant, or if the
  /// stored grant cannot be read.
  static func grant(
    ofHook hook: HookName, plugin: String, _ db: SQLConnection
  ) throws -> PinnedGrant? {
    try db.ledgerEntry(name(ofHook: hook)).flatMap { grant($0, plugin: plugin) }
  }
}

extension WriterStatement {
  static let setGrant = WriterStatement(
    """
    INSERT INTO grants VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET hash = excluded.hash, asked = excluded.asked,
      granted_at = excluded.granted_at, source = excluded.source
    """)
}

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

  /// Stores a grant of a job's plugin. Creates the job if the store does not have it.
  func keep(_ grant: PinnedGrant, ofJob name: JobName, manifestName: PluginName) throws {
    try setGrant(grant, job: try existingJobID(name) ?? makeJob(name, plugin: manifestName))
  }

  func grant(ofJob name: JobName, plugin: String) throws -> PinnedGrant? {
    try GrantRow.grant(of: name, plugin: plugin, db)
  }

  func keep(_ grant: PinnedGrant, ofHook hook: HookName) throws {
    var writer = ValueWriter()
    writer.write(grant.value)
    try setLedger(writer.bytes, name: GrantRow.name(ofHook: hook))
  }
}

extension StoreReader {
  /// Returns the grant of a job's plugin under the given name. If there is none, returns the grant
  /// that `GrantName.grant` selects from the job's other grants. Returns nil if that function
  /// selects none.
  package func grant(of job: JobName, plugin: String) throws(StoreError) -> PinnedGrant? {
    try read { try GrantRow.grant(of: job, plugin: plugin, $0) }
  }

  /// Returns the grants of all plugins of a job, newest first.
  package func grants(of job: JobName) throws(StoreError) -> [PinnedGrant] {
    try read { try GrantRow.grants(of: job, $0) }
  }

  /// Returns the grant of a hook, adapted to the given name by `GrantName.grant`. If that function
  /// returns nil, returns the grant unchanged. Returns nil if the hook has no grant, or if the
  /// stored grant cannot be read.
  package func grant(
    ofHook hook: HookName, plugin: String
  ) throws(StoreError) -> PinnedGrant? {
    try read { try GrantRow.grant(ofHook: hook, plugin: plugin, $0) }
  }
}

extension SQLiteStore {
  /// Stores a new grant of a job's plugin. Creates the job if the store does not have it, with
  /// `manifestName` as the name of its plugin.
  package func keep(
    _ grant: PinnedGrant, of job: JobName, manifestName: PluginName
  ) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      try connection.keep(grant, ofJob: job, manifestName: manifestName)
    }
  }

  /// Returns the grant that `StoreReader.grant` would return. Reads it through the queue of the
  /// writing connection.
  package func grant(
    of job: JobName, plugin: String
  ) async throws(StoreError) -> PinnedGrant? {
    try await queue.perform(isWrite: false) { try $0.grant(ofJob: job, plugin: plugin) }
  }

  package func keep(_ grant: PinnedGrant, ofHook hook: HookName) async throws(StoreError) {
    try await queue.perform(isWrite: true) { try $0.keep(grant, ofHook: hook) }
  }

  /// Returns the grant that `StoreReader.grant` would return. Reads it through the queue of the
  /// writing connection.
  package func grant(
    ofHook hook: HookName, plugin: String
  ) async throws(StoreError) -> PinnedGrant? {
    try await queue.perform(isWrite: false) {
      try GrantRow.grant(ofHook: hook, plugin: plugin, $0.db)
    }
  }
}
