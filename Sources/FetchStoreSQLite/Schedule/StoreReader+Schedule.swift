import FetchModel
package import FetchStore
package import FetchValues

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

  /// Returns the origins with a cooldown that ends after `now`, each with the end of its cooldown.
  /// Leaves out ends that are later than a server may request, since these were stored while the
  /// clock was wrong.
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
