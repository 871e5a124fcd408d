internal import FetchModel
package import FetchStore
package import FetchValues
internal import FetchValues

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
  /// Returns the snapshot of a job. `plugin` is the name of the plugin whose grant is read; nil
  /// reads no grant.
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
    snapshot.state = try state.map(Self.value)
    snapshot.storedBytes = Int(row.integer(3)) + (state?.count ?? 0)
    snapshot.grant = GrantRow.grant(row, from: 4)
    if snapshot.grant == nil, let plugin {
      snapshot.grant = try GrantRow.grant(of: name, plugin: plugin, db)
    }
    snapshot.validators = try validators(ofJob: id)
    return snapshot
  }

  private func validators(ofJob id: Int64) throws -> [ExactText: Validators] {
    var result: [ExactText: Validators] = [:]
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

  func makeJob(_ name: JobName, plugin: String) throws -> Int64 {
    let row = try statement(.insertJob)
    row.bind(1, name)
    row.bind(2, plugin)
    try row.run()
    return lastInsertedRow
  }

  /// Stores the identity of a job that fetchrun has named: see `JobIdentity`.
  func setIdentity(_ key: String, job: Int64) throws {
    let row = try statement(.setIdentity)
    row.bind(1, job)
    row.bind(2, key)
    try row.run()
  }

  /// Assigns a name to the job with the identity key, before the job's first run.
  func claim(_ name: JobName, identity key: String, plugin: String) throws {
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
    // The outbox is not changed, so that hooks are still notified of earlier events.
    try db.run("UPDATE jobs SET state = NULL, first_result_at = NULL, bytes = 0 WHERE id = ?", id)
    return true
  }
}

extension SQLiteStore {
  /// Assigns a name to the job with the identity key, before the job's first run.
  package func claim(
    _ job: JobName, identity key: String, plugin: String
  ) async throws(StoreError) {
    try await queue.perform(isWrite: true) { try $0.claim(job, identity: key, plugin: plugin) }
  }

  /// Removes a job's items and their history, its state and its validators. The job's run records
  /// stay. The job's next run counts as its first run. Returns false if the job does not exist.
  package func reset(job name: JobName) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { try $0.reset(job: name) }
  }
}
