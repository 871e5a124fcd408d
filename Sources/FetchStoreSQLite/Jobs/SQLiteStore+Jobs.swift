internal import FetchModel
package import FetchStore
package import FetchValues

extension WriterStatement {
  static let job = WriterStatement(
    """
    SELECT id, first_result_at, state, bytes, \(GrantRow.columns)
    FROM jobs LEFT JOIN grants ON grants.job = jobs.id AND grants.plugin = ?2 WHERE name = ?1
    """)
  static let insertJob = WriterStatement("INSERT INTO jobs (name, plugin) VALUES (?, ?)")
  static let setIdentity = WriterStatement(
    "UPDATE jobs SET identity = ?2 WHERE id = ?1 AND identity IS NOT ?2")
  static let setState = WriterStatement("UPDATE jobs SET state = ?2 WHERE id = ?1")
  static let addBytes = WriterStatement("UPDATE jobs SET bytes = max(0, bytes + ?2) WHERE id = ?1")
  static let validators = WriterStatement(
    """
    SELECT url, etag, last_modified, body_hash, last_full_answer_at, reading FROM validators
    WHERE job = ?
    """)
  static let setValidators = WriterStatement(
    """
    INSERT INTO validators VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified,
      body_hash = excluded.body_hash, last_full_answer_at = excluded.last_full_answer_at,
      reading = excluded.reading
    """)
}

extension WriterConnection {
  /// Returns the snapshot of a job. `plugin` is the plugin whose grant is read, as in
  /// `PinnedGrant.plugin`; nil means that no grant is read. Throws `rejected` if the stored state
  /// cannot be read.
  func snapshot(ofJob name: JobName, plugin: String?) throws -> JobSnapshot {
    var snapshot = JobSnapshot(name: name)
    let row = try statement(.job)
    row.bind(1, name)
    row.bind(2, plugin)
    guard try row.step() else { return snapshot }
    defer { row.reset() }
    let id = row.integer(0)
    snapshot.id = id
    snapshot.firstResultAt = row.optionalTime(1)
    let state = row.bytes(2)
    // An error of another kind would stop all jobs.
    do { snapshot.state = try state.map(Self.value) } catch {
      throw StoreError(damagedStateOf: name)
    }
    snapshot.storedBytes = Int(max(0, min(row.integer(3), 1 << 60))) + (state?.count ?? 0)
    snapshot.grant = GrantRow.grant(row, from: 4)
    if snapshot.grant == nil, let plugin {
      snapshot.grant = try GrantRow.grant(of: name, plugin: plugin, db)
    }
    snapshot.validators = try validators(ofJob: id)
    return snapshot
  }

  private func validators(ofJob id: Int64) throws -> [ExactText: Validators] {
    // Most jobs have one address.
    var result = [ExactText: Validators](minimumCapacity: 1)
    let row = try statement(.validators)
    row.bind(1, id)
    while try row.step() {
      var validators = Validators(
        etag: row.text(1), lastModified: row.text(2), bodyHash: row.bytes(3),
        lastFullAnswerAt: row.time(4))
      validators.reading = row.bytes(5)
      result[ExactText(row.text(0) ?? "")] = validators
    }
    return result
  }

  private static func value(_ bytes: [UInt8]) throws -> Value {
    try ValueReader.read(bytes) { reader throws(ValueError) in try reader.readValue() }
  }

  func existingJobID(_ name: JobName) throws -> Int64? {
    let row = try statement(.job)
    row.bind(1, name)
    row.bind(2, nil as String?)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return row.integer(0)
  }

  func makeJob(_ name: JobName, plugin: PluginName) throws -> Int64 {
    let row = try statement(.insertJob)
    row.bind(1, name)
    row.bind(2, plugin)
    try row.run()
    return lastInsertedRow
  }

  /// Stores the identity key of a job: see `JobIdentity`.
  func setIdentity(_ key: String, job: Int64) throws {
    let row = try statement(.setIdentity)
    row.bind(1, job)
    row.bind(2, key)
    try row.run()
  }

  /// Stores the identity key of the job with the given name, and creates the job if it does not
  /// exist.
  func claim(_ name: JobName, identity key: String, plugin: PluginName) throws {
    try setIdentity(key, job: try existingJobID(name) ?? makeJob(name, plugin: plugin))
  }

  /// Adds `count` to the stored size of a job's items in bytes. `count` may be negative.
  func addBytes(_ count: Int, job: Int64) throws {
    let row = try statement(.addBytes)
    row.bind(1, job)
    row.bind(2, count)
    try row.run()
  }

  func setState(_ state: Value, job: Int64) throws {
    var writer = ValueWriter()
    if !state.isNull { writer.write(state) }
    let row = try statement(.setState)
    row.bind(1, job)
    row.bind(2, state.isNull ? nil : writer.bytes)
    try row.run()
  }

  func setValidators(_ validators: Validators, url: ExactText, job: Int64) throws {
    let row = try statement(.setValidators)
    row.bind(1, job)
    row.bind(2, url.text)
    row.bind(3, validators.etag)
    row.bind(4, validators.lastModified)
    row.bind(5, validators.bodyHash)
    row.bind(6, validators.lastFullAnswerAt)
    row.bind(7, validators.reading)
    try row.run()
  }

  func reset(job name: JobName) throws -> Bool {
    guard let id = try existingJobID(name) else { return false }
    for table in ["items", "changes", "validators", "transfers"] {
      try db.run("DELETE FROM \(table) WHERE job = ?", id)
    }
    try db.run("DELETE FROM kept_runs WHERE job = ?", name)
    // The outbox is not changed, so that hooks are still notified of events that happened before
    // the reset.
    try db.run("UPDATE jobs SET state = NULL, first_result_at = NULL, bytes = 0 WHERE id = ?", id)
    return true
  }
}

extension SQLiteStore {
  /// Stores the identity key of the job with the given name, and creates the job if it does not
  /// exist.
  package func claim(
    _ job: JobName, identity key: String, plugin: PluginName
  ) async throws(StoreError) {
    try await queue.perform(isWrite: true) { try $0.claim(job, identity: key, plugin: plugin) }
  }

  /// Removes a job's items and their history, its state, validators, transfers and kept answers.
  /// The job's run records stay. The job's next run counts as its first run. Returns false if the
  /// job does not exist.
  package func reset(job name: JobName) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { try $0.reset(job: name) }
  }
}

extension StoreReader {
  /// Returns the name of the job with the identity key; nil if there is none. A job whose name
  /// equals the key is preferred.
  ///
  /// Jobs of earlier versions of fetchrun have no stored identity. The key of such a job is its
  /// name.
  package func job(identity key: String) throws(StoreError) -> JobName? {
    let byIdentity = "SELECT name FROM jobs WHERE identity = ?1 ORDER BY id LIMIT 1"
    return try read { db in
      if try Self.hasJob(JobName(key), db) { return JobName(key) }
      return hasIdentities ? try db.text(byIdentity, key).map { JobName($0) } : nil
    }
  }

  /// Whether the store has a job with the name.
  package func hasJob(_ name: JobName) throws(StoreError) -> Bool {
    try read { try Self.hasJob(name, $0) }
  }

  private static func hasJob(_ name: JobName, _ db: SQLConnection) throws -> Bool {
    try db.integer("SELECT 1 FROM jobs WHERE name = ?", name) != nil
  }

  package func jobs() throws(StoreError) -> [JobStatus] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT jobs.name, jobs.plugin,
          (SELECT count(*) FROM items WHERE items.job = jobs.id AND items.presence = 0),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id),
          (SELECT max(started_at) FROM runs
            WHERE runs.job = jobs.id AND outcome IN ('newData', 'noData')),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id AND outcome = 'newData')
        FROM jobs ORDER BY jobs.name
        """)
      var result: [JobStatus] = []
      while try row.step() {
        result.append(
          JobStatus(
            name: row.name(0), plugin: row.name(1), itemCount: Int(row.integer(2)),
            lastRunAt: row.optionalTime(3), lastSuccessAt: row.optionalTime(4),
            lastNewDataAt: row.optionalTime(5)))
      }
      return result
    }
  }

  /// Whether a run of the job has ended with the outcome newData or noData since the last reset.
  /// Runs for one transfer do not count.
  package func hasResult(of job: JobName) throws(StoreError) -> Bool {
    try read { db in
      try db.integer("SELECT first_result_at FROM jobs WHERE name = ?", job) != nil
    }
  }

  /// The maximum number of addresses that are read for one job from each table. Callers need only
  /// the few hostnames in these addresses.
  private static let addressesMax = 10_000

  /// Returns stored addresses of a job, in any order: at most 10,000 addresses with validators, and
  /// at most 10,000 addresses of transfers.
  package func addresses(of job: JobName) throws(StoreError) -> [String] {
    let rows = "SELECT url FROM %s JOIN jobs ON jobs.id = job WHERE name = ? LIMIT ?"
    return try read { db in
      try ["validators", "transfers"].flatMap { table in
        try db.texts(rows.replacing("%s", with: table), job, Self.addressesMax)
      }
    }
  }
}
