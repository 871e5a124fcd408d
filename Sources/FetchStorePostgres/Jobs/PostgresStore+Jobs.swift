package import FetchModel
package import FetchStore
package import FetchValues

/// A job that is opened for a run.
struct OpenedJob: Sendable {
  var name: JobName
  /// The plugin whose grant is read, as in `PinnedGrant.plugin`; nil means that no grant is read.
  var plugin: String?
}

extension PostgresWriter {
  /// Returns the snapshots of jobs, in the order of `opened`; nil for a job whose stored state is
  /// damaged. Reads only the jobs for which `memory` returns no snapshot.
  func snapshots(
    of opened: [OpenedJob], _ connection: PostgresConnection
  ) throws -> [JobSnapshot?] {
    var snapshots = opened.map { memory.snapshot(of: $0.name, plugin: $0.plugin) }
    let unknown = opened.indices.filter { snapshots[$0] == nil }
    if unknown.isEmpty { return snapshots }
    var arguments = PostgresArguments()
    arguments.add(texts: unknown.map { opened[$0].name.text })
    arguments.add(contents: unknown.map { opened[$0].plugin })
    var stateBytes: [Int: Int] = [:]
    for index in unknown { snapshots[index] = JobSnapshot(name: opened[index].name) }
    try connection.run(Self.snapshots, arguments).forEach { row in
      let place = Int(clamping: max(0, row.integer(0))) - 1
      guard unknown.indices.contains(place) else { return }
      let index = unknown[place]
      var snapshot = JobSnapshot(name: opened[index].name)
      snapshot.id = row.integer(1)
      snapshot.firstResultAt = row.optionalTime(2)
      let state = row.bytes(3)
      do { snapshot.state = try state.map { try Value(encoded: $0) } } catch {
        return snapshots[index] = nil
      }
      snapshot.storedBytes = Int(max(0, min(row.integer(4), 1 << 60))) + (state?.count ?? 0)
      snapshot.grant = GrantRow.grant(row, from: 5)
      stateBytes[index] = state?.count ?? 0
      remember(row.integer(1), of: snapshot.name)
      snapshots[index] = snapshot
    }
    let stored = unknown.filter { stateBytes[$0] != nil }
    let validators = try validators(of: stored.map { snapshots[$0]?.id ?? 0 }, connection)
    for index in stored {
      let (name, plugin) = (opened[index].name, opened[index].plugin)
      guard var snapshot = snapshots[index], let id = snapshot.id else { continue }
      if snapshot.grant == nil, let plugin {
        snapshot.grant = GrantRow.selected(plugin, among: try Grants.all(of: name, connection))
      }
      snapshot.validators = validators[id] ?? [:]
      memory.keep(snapshot, plugin: plugin, stateBytes: stateBytes[index] ?? 0)
      snapshots[index] = snapshot
    }
    return snapshots
  }

  private static let snapshots = PostgresStatement(
    """
    SELECT opened.number, jobs.id, first_result_at, state, bytes, \(GrantRow.columns)
    FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS opened (name, manifest, number)
      JOIN fetchrun.jobs ON jobs.name = opened.name COLLATE "C"
      LEFT JOIN fetchrun.grants
        ON grants.job = jobs.id AND sha256(grants.plugin) = sha256(opened.manifest)
    """)

  private func validators(
    of jobs: [Int64], _ connection: PostgresConnection
  ) throws -> [Int64: [ExactText: Validators]] {
    if jobs.isEmpty { return [:] }
    var result: [Int64: [ExactText: Validators]] = [:]
    var arguments = PostgresArguments()
    arguments.add(jobs.map { $0 as Int64? })
    try connection.run(
      PostgresStatement(
        """
        SELECT url, etag, last_modified, body_hash, last_full_answer_at, reading, job
        FROM fetchrun.validators WHERE job = ANY ($1)
        """), arguments
    ).forEach { row in
      var validators = Validators(
        etag: row.text(1), lastModified: row.text(2), bodyHash: row.bytes(3),
        lastFullAnswerAt: row.time(4))
      validators.reading = row.bytes(5)
      result[row.integer(6), default: [:]][ExactText(row.text(0) ?? "")] = validators
    }
    return result
  }

  func reset(
    _ name: JobName, _ connection: PostgresConnection
  ) throws -> Bool {
    memory.forget(name)
    guard let id = try existingJob(name, connection) else { return false }
    var arguments = PostgresArguments()
    arguments.add(id)
    for table in ["items", "changes", "validators", "transfers"] {
      try connection.run(
        PostgresStatement("DELETE FROM fetchrun.\(table) WHERE job = $1"), arguments)
    }
    // The outbox is not changed, so that hooks are still notified of earlier events.
    try connection.run(
      PostgresStatement(
        """
        UPDATE fetchrun.jobs SET state = NULL, first_result_at = NULL, bytes = 0 WHERE id = $1
        """), arguments)
    var named = PostgresArguments()
    named.add(name)
    try connection.run(PostgresStatement("DELETE FROM fetchrun.kept_runs WHERE job = $1"), named)
    return true
  }
}

extension PostgresStore {
  package func reset(job name: JobName) async throws(StoreError) -> Bool {
    try await write { writer, connection, _ in try writer.reset(name, connection) }
  }
}

extension PostgresReading {
  package func jobs() async throws(StoreError) -> [JobStatus] {
    try await reader.read { connection in
      let rows = try connection.run(
        PostgresStatement(
          """
          SELECT jobs.name, jobs.plugin,
            (SELECT count(*) FROM fetchrun.items WHERE items.job = jobs.id AND presence = 0),
            last.any_at, last.success_at, last.news_at
          FROM fetchrun.jobs LEFT JOIN LATERAL (
            SELECT max(started_at) AS any_at,
              max(started_at) FILTER (WHERE outcome <> 'failed') AS success_at,
              max(started_at) FILTER (WHERE outcome = 'newData') AS news_at
            FROM (SELECT started_at, outcome FROM fetchrun.runs WHERE runs.job = jobs.id
              UNION ALL
              SELECT started_at, 'failed' FROM fetchrun.running WHERE running.job = jobs.id) AS all_runs
          ) AS last ON true
          ORDER BY jobs.name
          """))
      return rows.map { row in
        JobStatus(
          name: row.name(0), plugin: row.name(1), itemCount: Int(clamping: row.integer(2)),
          lastRunAt: row.optionalTime(3), lastSuccessAt: row.optionalTime(4),
          lastNewDataAt: row.optionalTime(5))
      }
    }
  }

  package func hasJob(_ name: JobName) async throws(StoreError) -> Bool {
    var arguments = PostgresArguments()
    arguments.add(name)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement("SELECT 1::bigint FROM fetchrun.jobs WHERE name = $1"), arguments
      ).count > 0
    }
  }

  package func job(identity key: String) async throws(StoreError) -> JobName? {
    var arguments = PostgresArguments()
    arguments.add(text: key)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT name FROM fetchrun.jobs WHERE name = $1 OR identity = $1
          ORDER BY name <> $1, id LIMIT 1
          """), arguments
      ).first?.name(0)
    }
  }

  package func hasResult(of job: JobName) async throws(StoreError) -> Bool {
    var arguments = PostgresArguments()
    arguments.add(job)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT 1::bigint FROM fetchrun.jobs WHERE name = $1 AND first_result_at IS NOT NULL
          """), arguments
      ).count > 0
    }
  }

  package func addresses(of job: JobName) async throws(StoreError) -> [String] {
    var arguments = PostgresArguments()
    arguments.add(job)
    return try await reader.read { [arguments] connection in
      try ["validators", "transfers"].flatMap { table in
        try connection.run(
          PostgresStatement(
            """
            SELECT url FROM fetchrun.\(table) JOIN fetchrun.jobs ON jobs.id = job
            WHERE name = $1 LIMIT 10000
            """), arguments
        ).compactMap { $0.text(0) }
      }
    }
  }
}

// MARK: Grants

/// The grants of plugins and hooks in the store.
enum Grants {
  /// Returns the grants of all plugins of a job, newest first.
  static func all(of job: JobName, _ connection: PostgresConnection) throws -> [PinnedGrant] {
    var arguments = PostgresArguments()
    arguments.add(job)
    return try connection.run(
      PostgresStatement(
        """
        SELECT \(GrantRow.columns) FROM fetchrun.grants JOIN fetchrun.jobs ON jobs.id = grants.job
        WHERE jobs.name = $1 ORDER BY grants.granted_at DESC, grants.plugin
        """), arguments
    ).compactMap { GrantRow.grant($0, from: 0) }
  }

  static func grant(
    of hook: HookName, plugin: String, _ connection: PostgresConnection
  ) throws -> PinnedGrant? {
    guard let content = try Ledger.entry(GrantRow.name(ofHook: hook), connection) else {
      return nil
    }
    return GrantRow.grant(content, plugin: plugin)
  }
}

extension PostgresWriter {
  func setGrant(_ grant: PinnedGrant, job: Int64, _ connection: PostgresConnection) throws {
    var arguments = PostgresArguments()
    arguments.add(job)
    arguments.add(content: grant.plugin)
    arguments.add(grant.hash)
    arguments.add(content: grant.text)
    arguments.add(grant.grantedAt)
    arguments.add(text: grant.source.rawValue)
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.grants VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (job, sha256(plugin)) DO UPDATE SET hash = excluded.hash,
          asked = excluded.asked, granted_at = excluded.granted_at, source = excluded.source
        """), arguments)
  }
}

extension PostgresStore {
  package func keep(
    _ grant: PinnedGrant, of job: JobName, manifestName: PluginName
  ) async throws(StoreError) {
    try await write { writer, connection, numbers in
      writer.memory.forget(job)
      let id = try writer.job(job, plugin: manifestName, connection, &numbers)
      try writer.setGrant(grant, job: id, connection)
    }
  }

  package func keep(_ grant: PinnedGrant, ofHook hook: HookName) async throws(StoreError) {
    var content = ValueWriter()
    content.write(grant.value)
    try await write { [content] _, connection, _ in
      try Ledger.set([GrantRow.name(ofHook: hook): content.bytes], connection)
    }
  }
}

extension PostgresReading {
  package func grant(of job: JobName, plugin: String) async throws(StoreError) -> PinnedGrant? {
    try await reader.read { connection in
      GrantRow.selected(plugin, among: try Grants.all(of: job, connection))
    }
  }

  package func grants(of job: JobName) async throws(StoreError) -> [PinnedGrant] {
    try await reader.read { try Grants.all(of: job, $0) }
  }

  package func grant(
    ofHook hook: HookName, plugin: String
  ) async throws(StoreError) -> PinnedGrant? {
    try await reader.read { try Grants.grant(of: hook, plugin: plugin, $0) }
  }
}
