import FetchModel
package import FetchStore
package import FetchValues

extension StoreReader {
  /// What the scheduler remembers of each job that it ever had, by name, as `reading` has it; without
  /// those of which it makes nothing.
  package func schedules<Schedule>(
    _ reading: (StoredSchedule) -> Schedule? = { $0 }
  ) throws(StoreError) -> [String: Schedule] {
    try read { db in
      var schedules: [String: Schedule] = [:]
      let row = try SQLStatement(
        db,
        """
        SELECT name, schedule, content FROM jobs LEFT JOIN learned ON job = id
        WHERE schedule IS NOT NULL
        """)
      while try row.step() {
        schedules[row.text(0) ?? ""] = reading(
          StoredSchedule(row.bytes(1) ?? [], learned: row.bytes(2)))
      }
      return schedules
    }
  }

  /// Origins that asked to be left alone, until when, for those times after `now`. What is further
  /// away than a server may ask for was noted by a clock that was set back since.
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

  /// The latest first, of one job or of all.
  package func skips(job: String? = nil, limit: Int) throws(StoreError) -> [SkipRecord] {
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
          SkipRecord(job: row.text(0) ?? "", at: row.time(1), reason: row.text(2) ?? ""))
      }
      return skips
    }
  }
}
