package import FetchModel
package import FetchStore
package import FetchValues

/// The store's small named entries, such as the memory that all jobs share.
enum Ledger {
  static func entry(_ name: String, _ connection: PostgresConnection) throws -> [UInt8]? {
    var arguments = PostgresArguments()
    arguments.add(text: name)
    return try connection.run(
      PostgresStatement("SELECT content FROM fetchrun.ledger WHERE name = $1"), arguments
    ).first?.bytes(0)
  }

  static func entries(
    _ names: [String], _ connection: PostgresConnection
  ) throws -> [String: [UInt8]] {
    var arguments = PostgresArguments()
    arguments.add(texts: names)
    var found: [String: [UInt8]] = [:]
    try connection.run(
      PostgresStatement("SELECT name, content FROM fetchrun.ledger WHERE name = ANY ($1)"),
      arguments
    ).forEach { found[$0.text(0) ?? ""] = $0.bytes(1) }
    return found
  }

  static func set(_ entries: [String: [UInt8]], _ connection: PostgresConnection) throws {
    if entries.isEmpty { return }
    let sorted = entries.sorted { $0.key < $1.key }
    var arguments = PostgresArguments()
    arguments.add(texts: sorted.map(\.key))
    arguments.add(sorted.map { $0.value as [UInt8]? })
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.ledger SELECT * FROM unnest($1::text[], $2::bytea[])
        ON CONFLICT (name) DO UPDATE SET content = excluded.content
        """), arguments)
  }

  static func remove(_ name: String, _ connection: PostgresConnection) throws {
    var arguments = PostgresArguments()
    arguments.add(text: name)
    try connection.run(
      PostgresStatement("DELETE FROM fetchrun.ledger WHERE name = $1"), arguments)
  }
}

extension PostgresReading {
  package func sharedMemory() async throws(StoreError) -> SharedMemory {
    try await reader.read { connection in
      var ledger: [String: [UInt8]] = [:]
      try connection.run(PostgresStatement("SELECT name, content FROM fetchrun.ledger"))
        .forEach { ledger[$0.text(0) ?? ""] = $0.bytes(1) }
      return SharedMemory(ledger: ledger)
    }
  }

  package func paces(of hooks: Set<HookName>) async throws(StoreError) -> [HookName: [UInt8]] {
    try await reader.read { connection in
      let found = try Ledger.entries(hooks.map { LedgerName.pace(ofHook: $0) }, connection)
      var paces: [HookName: [UInt8]] = [:]
      for hook in hooks { paces[hook] = found[LedgerName.pace(ofHook: hook)] }
      return paces
    }
  }

  package func configs() async throws(StoreError) -> StoreConfigs {
    try await reader.read {
      StoreConfigs(decoding: try Ledger.entry(LedgerName.configs, $0) ?? [])
    }
  }

  package func waits() async throws(StoreError) -> [JobName: Timestamp] {
    try await reader.read { LedgerName.waits(in: try Ledger.entry(LedgerName.waits, $0)) }
  }
}

extension PostgresStore {
  package func setPace(_ pace: [UInt8]?, of hook: HookName) async throws(StoreError) {
    let name = LedgerName.pace(ofHook: hook)
    try await write { _, connection, _ in
      if let pace {
        try Ledger.set([name: pace], connection)
      } else {
        try Ledger.remove(name, connection)
      }
    }
  }

  package func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) async throws(StoreError) -> Bool {
    let name = LedgerName.stale(what, hook: delivery.hook, job: delivery.job)
    let mark = StaleMark.bytes(since)
    return try await write { writer, connection, numbers in
      guard try Ledger.entry(name, connection) != mark else { return false }
      try Ledger.set([name: mark], connection)
      try writer.insert(delivery, connection, &numbers)
      return true
    }
  }

  package func firstSeen(
    _ jobs: [JobName], now: Timestamp
  ) async throws(StoreError) -> [JobName: Timestamp] {
    try await write { _, connection, _ in
      let names = jobs.map { LedgerName.firstSeen($0) }
      let found = try Ledger.entries(names, connection)
      var seen: [JobName: Timestamp] = [:]
      var new: [String: [UInt8]] = [:]
      for (job, name) in zip(jobs, names) {
        seen[job] = found[name].map { StaleMark.time($0) ?? now } ?? now
        if found[name] == nil { new[name] = StaleMark.bytes(now) }
      }
      try Ledger.set(new, connection)
      return seen
    }
  }

  package func setConfigs(_ configs: StoreConfigs) async throws(StoreError) {
    try await write { _, connection, _ in
      try Ledger.set([LedgerName.configs: configs.encoded], connection)
    }
  }

  package func setWaits(_ waits: [JobName: Timestamp]) async throws(StoreError) {
    let content = LedgerName.content(waits)
    try await write { _, connection, _ in
      try Ledger.set([LedgerName.waits: content], connection)
    }
  }
}

// MARK: The scheduler

extension PostgresWriter {
  func setCoolDown(
    _ origin: ExactText, until: Timestamp, _ connection: PostgresConnection
  ) throws {
    var arguments = PostgresArguments()
    arguments.add(text: origin.text)
    arguments.add(until)
    // A cooldown that ends more than `RetryAfter.delayMax` after the new one is of a wrong clock.
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.origins VALUES ($1, $2)
        ON CONFLICT (origin) DO UPDATE SET cool_until = CASE
          WHEN origins.cool_until
            > excluded.cool_until + \(RetryAfter.delayMax.wholeMilliseconds)
          THEN excluded.cool_until ELSE greatest(origins.cool_until, excluded.cool_until) END
        """), arguments)
  }

  func remember(
    _ memory: SchedulerMemory, _ connection: PostgresConnection, _ numbers: inout WriterNumbers
  ) throws {
    var schedules = (jobs: [Int64?](), contents: [[UInt8]?]())
    var learned = (jobs: [Int64?](), contents: [[UInt8]?]())
    // If a job has several schedules, the last one counts. If the last one has no learned part, the
    // previous learned part is kept.
    var last: [JobName: (plugin: PluginName, schedule: StoredSchedule)] = [:]
    var names: [JobName] = []
    for (job, plugin, schedule) in memory.schedules {
      var schedule = schedule
      if let before = last[job] {
        schedule.learned = schedule.learned ?? before.schedule.learned
      } else {
        names.append(job)
      }
      last[job] = (plugin, schedule)
    }
    for name in names {
      guard let (plugin, schedule) = last[name] else { continue }
      let id = try job(name, plugin: plugin, connection, &numbers)
      schedules.jobs.append(id)
      schedules.contents.append(schedule.content)
      if let content = schedule.learned {
        learned.jobs.append(id)
        learned.contents.append(content)
      }
    }
    if !schedules.jobs.isEmpty {
      var arguments = PostgresArguments()
      arguments.add(schedules.jobs)
      arguments.add(schedules.contents)
      try connection.run(
        PostgresStatement(
          """
          UPDATE fetchrun.jobs SET schedule = new.content
          FROM unnest($1::bigint[], $2::bytea[]) AS new (id, content) WHERE jobs.id = new.id
          """), arguments)
    }
    if !learned.jobs.isEmpty {
      var arguments = PostgresArguments()
      arguments.add(learned.jobs)
      arguments.add(learned.contents)
      try connection.run(
        PostgresStatement(
          """
          INSERT INTO fetchrun.learned SELECT * FROM unnest($1::bigint[], $2::bytea[])
          ON CONFLICT (job) DO UPDATE SET content = excluded.content
          """), arguments)
    }
    try Ledger.set(memory.shared.ledger, connection)
    for (origin, until) in memory.coolDowns { try setCoolDown(origin, until: until, connection) }
    if !memory.rescued.isEmpty { try forgetAbandoned(memory.rescued, connection) }
    try add(memory.skips, connection, &numbers)
  }

  private func add(
    _ skips: [SkipRecord], _ connection: PostgresConnection, _ numbers: inout WriterNumbers
  ) throws {
    if skips.isEmpty { return }
    var arguments = PostgresArguments()
    let first = numbers.skip + 1
    numbers.skip += Int64(skips.count)
    arguments.add((first...numbers.skip).map { $0 as Int64? })
    arguments.add(texts: skips.map(\.job.text))
    arguments.add(skips.map { $0.at.milliseconds as Int64? })
    arguments.add(contents: skips.map(\.reason))
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.skips
          SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[])
        """), arguments)
    var kept = PostgresArguments()
    kept.add(texts: Array(Set(skips.map(\.job))).map(\.text))
    kept.add(SkipRecord.keptPerJob)
    try connection.run(
      PostgresStatement(
        """
        DELETE FROM fetchrun.skips USING unnest($1::text[]) AS of (job)
        WHERE skips.job = of.job AND skips.number <= (
          SELECT number FROM fetchrun.skips AS old WHERE old.job = of.job
          ORDER BY number DESC LIMIT 1 OFFSET $2)
        """), kept)
  }

  func forgetAbandoned(_ rescued: [JobName], _ connection: PostgresConnection) throws {
    let names = Set(rescued)
    let left = AbandonedJobs.list(try Ledger.entry(AbandonedJobs.ledgerName, connection))
      .filter { !names.contains($0) }
    try Ledger.set([AbandonedJobs.ledgerName: AbandonedJobs.content(left)], connection)
  }
}

extension PostgresStore {
  package func remember(_ memory: SchedulerMemory) async throws(StoreError) {
    if memory.isEmpty { return }
    try await write { writer, connection, numbers in
      try writer.remember(memory, connection, &numbers)
    }
  }

  package func forgetAbandoned(_ job: JobName) async throws(StoreError) {
    try await write { writer, connection, _ in try writer.forgetAbandoned([job], connection) }
  }
}

extension PostgresReading {
  package func schedules(after mark: PageMark?) async throws(StoreError) -> Page<JobMemory> {
    var arguments = PostgresArguments()
    arguments.add(mark?.number ?? 0)
    arguments.add(PageMark.countMax)
    return try await reader.read { [arguments] connection in
      let rows = try connection.run(
        PostgresStatement(
          """
          SELECT id, name, schedule, content
          FROM fetchrun.jobs LEFT JOIN fetchrun.learned ON learned.job = jobs.id
          WHERE schedule IS NOT NULL AND id > $1 ORDER BY id LIMIT $2
          """), arguments)
      let jobs = rows.map { row in
        JobMemory(
          job: row.name(1), schedule: StoredSchedule(row.bytes(2) ?? [], learned: row.bytes(3)))
      }
      guard rows.count == PageMark.countMax else { return Page(jobs) }
      return Page(jobs, next: .row(rows[rows.count - 1].integer(0)))
    }
  }

  package func schedules(of jobs: [JobName]) async throws(StoreError) -> [JobMemory] {
    var arguments = PostgresArguments()
    arguments.add(texts: jobs.map(\.text))
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT name, schedule, content
          FROM fetchrun.jobs LEFT JOIN fetchrun.learned ON learned.job = jobs.id
          WHERE schedule IS NOT NULL AND name = ANY ($1)
          """), arguments
      ).map { row in
        JobMemory(
          job: row.name(0), schedule: StoredSchedule(row.bytes(1) ?? [], learned: row.bytes(2)))
      }
    }
  }

  package func coolDowns(
    after now: Timestamp
  ) async throws(StoreError) -> [ExactText: Timestamp] {
    var arguments = PostgresArguments()
    arguments.add(now)
    arguments.add(now + RetryAfter.delayMax)
    return try await reader.read { [arguments] connection in
      var result: [ExactText: Timestamp] = [:]
      try connection.run(
        PostgresStatement(
          """
          SELECT origin, cool_until FROM fetchrun.origins
          WHERE cool_until > $1 AND cool_until <= $2
          """), arguments
      ).forEach { result[ExactText($0.text(0) ?? "")] = $0.time(1) }
      return result
    }
  }

  package func skips(job: JobName?, limit: Int) async throws(StoreError) -> [SkipRecord] {
    var arguments = PostgresArguments()
    arguments.add(limit)
    if let job { arguments.add(job) }
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT job, skipped_at, reason FROM fetchrun.skips
          \(job == nil ? "" : "WHERE job = $2") ORDER BY number DESC LIMIT $1
          """), arguments
      ).map { SkipRecord(job: $0.name(0), at: $0.time(1), reason: $0.text(2) ?? "") }
    }
  }

  package func abandoned() async throws(StoreError) -> [JobName] {
    try await reader.readAtOnce { connection in
      let known = AbandonedJobs.list(try Ledger.entry(AbandonedJobs.ledgerName, connection))
      let left = try connection.run(
        PostgresStatement(
          """
          SELECT DISTINCT jobs.name FROM fetchrun.running JOIN fetchrun.jobs ON jobs.id = running.job
          WHERE NOT \(PostgresLock.isHeld)
          """)
      ).compactMap { $0.text(0) }
      return AbandonedJobs.joined(known, left)
    }
  }
}
