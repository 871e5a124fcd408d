import FetchModel
package import FetchStore
package import FetchValues

extension WriterStatement {
  static let setSchedule = WriterStatement(
    """
    UPDATE jobs SET schedule = ?2, first_result_at = coalesce(first_result_at, ?3) WHERE id = ?1
    """)
  static let setLearned = WriterStatement(
    """
    INSERT INTO learned (job, content) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET content = excluded.content
    """)
  // A cooldown that ends more than `RetryAfter.delayMax` after the new one is of a wrong clock.
  static let setCoolDown = WriterStatement(
    """
    INSERT INTO origins VALUES (?, ?)
    ON CONFLICT DO UPDATE SET cool_until = CASE
      WHEN cool_until > excluded.cool_until + \(RetryAfter.delayMax.wholeMilliseconds)
      THEN excluded.cool_until ELSE max(cool_until, excluded.cool_until) END
    """)
  static let insertSkip = WriterStatement(
    "INSERT INTO skips (job, skipped_at, reason) VALUES (?, ?, ?)")
  static let forgetOldSkips = WriterStatement(
    """
    DELETE FROM skips WHERE job = ?1 AND number <= (
      SELECT number FROM skips WHERE job = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
    """)
}

extension WriterConnection {
  /// Stores the schedule of a job. `result` is the start of a run that counts as the job's first
  /// result, if the job has none.
  func setSchedule(_ schedule: StoredSchedule, job: Int64, result: Timestamp? = nil) throws {
    let row = try statement(.setSchedule)
    row.bind(1, job)
    row.bind(2, schedule.content)
    row.bind(3, result?.milliseconds)
    try row.run()
    guard let learned = schedule.learned else { return }
    let learnedRow = try statement(.setLearned)
    learnedRow.bind(1, job)
    learnedRow.bind(2, learned)
    try learnedRow.run()
  }

  func remember(_ memory: SchedulerMemory) throws {
    for (job, plugin, schedule) in memory.schedules {
      try setSchedule(schedule, job: try existingJobID(job) ?? makeJob(job, plugin: plugin))
    }
    setShared(memory.shared)
    for (origin, until) in memory.coolDowns { try setCoolDown(origin, until: until) }
    if !memory.rescued.isEmpty { try forgetAbandoned(memory.rescued) }
    for skip in memory.skips { try insert(skip) }
    for job in Set(memory.skips.map(\.job)) { try forgetOldSkips(of: job) }
  }

  private func insert(_ skip: SkipRecord) throws {
    let row = try statement(.insertSkip)
    row.bind(1, skip.job)
    row.bind(2, skip.at)
    row.bind(3, skip.reason)
    try row.run()
  }

  private func forgetOldSkips(of job: JobName) throws {
    let row = try statement(.forgetOldSkips)
    row.bind(1, job)
    row.bind(2, SkipRecord.keptPerJob)
    try row.run()
  }

  func setCoolDown(_ origin: ExactText, until: Timestamp) throws {
    let row = try statement(.setCoolDown)
    row.bind(1, origin.text)
    row.bind(2, until)
    try row.run()
  }
}

extension SQLiteStore {
  package func remember(_ memory: SchedulerMemory) async throws(StoreError) {
    if memory.isEmpty { return }
    try await queue.perform(isWrite: true) { try $0.remember(memory) }
  }
}

extension StoreReader {
  package func schedules(after mark: PageMark?) throws(StoreError) -> Page<JobMemory> {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT id, name, schedule, content FROM jobs LEFT JOIN learned ON job = id
        WHERE schedule IS NOT NULL AND id > ?1 ORDER BY id LIMIT ?2
        """)
      row.bind(1, mark?.number ?? 0)
      row.bind(2, PageMark.countMax)
      var jobs: [JobMemory] = []
      var last: Int64 = 0
      while try row.step() {
        last = row.integer(0)
        jobs.append(
          JobMemory(
            job: row.name(1),
            schedule: StoredSchedule(row.bytes(2) ?? [], learned: row.bytes(3))))
      }
      return Page(jobs, next: jobs.count < PageMark.countMax ? nil : .row(last))
    }
  }

  package func schedules(of jobs: [JobName]) throws(StoreError) -> [JobMemory] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT schedule, content FROM jobs LEFT JOIN learned ON job = id
        WHERE schedule IS NOT NULL AND name = ?
        """)
      var found: [JobMemory] = []
      for job in jobs {
        row.bind(1, job)
        while try row.step() {
          let schedule = StoredSchedule(row.bytes(0) ?? [], learned: row.bytes(1))
          found.append(JobMemory(job: job, schedule: schedule))
        }
      }
      return found
    }
  }

  /// Returns the origins with a cooldown that ends after `now`, each with the end of its cooldown.
  /// Leaves out a cooldown that ends later than a server can request at `now`, because its end
  /// comes from a wrong clock.
  package func coolDowns(after now: Timestamp) throws(StoreError) -> [ExactText: Timestamp] {
    try read { db in
      let row = try SQLStatement(
        db, "SELECT origin, cool_until FROM origins WHERE cool_until > ? AND cool_until <= ?")
      row.bind(1, now)
      row.bind(2, now + RetryAfter.delayMax)
      var result: [ExactText: Timestamp] = [:]
      while try row.step() { result[ExactText(row.text(0) ?? "")] = row.time(1) }
      return result
    }
  }

  /// Returns the last skips of one job or all jobs, newest first.
  package func skips(job: JobName? = nil, limit: Int) throws(StoreError) -> [SkipRecord] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT job, skipped_at, reason FROM skips WHERE ?1 IS NULL OR job = ?1
        ORDER BY number DESC LIMIT ?2
        """)
      row.bind(1, job)
      row.bind(2, limit)
      var skips: [SkipRecord] = []
      while try row.step() {
        skips.append(
          SkipRecord(job: row.name(0), at: row.time(1), reason: row.text(2) ?? ""))
      }
      return skips
    }
  }
}
