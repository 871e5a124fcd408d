internal import FetchModel
import FetchStore
internal import FetchValues

extension WriterConnection {
  /// The time between two sweeps through a store.
  static let sweepPeriod: Duration = .seconds(86_400)
  /// The time between two sweeps while space is short.
  private static let pressedPeriod: Duration = .seconds(3600)
  /// The share of the maximum size above which space is short.
  private static let pressedShare = 0.9

  /// Performs one step of retention if a sweep is active or due.
  ///
  /// - Parameter wanted: the config's retention; nil means the retention of the last config.
  func keepUp(_ wanted: Retention?, now: Timestamp) throws -> RetentionProgress {
    let before = RetentionNote(try ledgerEntry(RetentionNote.ledgerName))
    var note = before
    if let wanted { note.adopt(wanted) }
    if note.sweep == nil {
      let isPressed = try isPressed()
      let until = try restsUntil(note, isPressed: isPressed, now)
      if until > now {
        if note != before { try setLedger(note.encoded, name: RetentionNote.ledgerName) }
        return .rests(until: until)
      }
      note.sweep = RetentionSweep(isPressed: isPressed)
    }
    try step(&note, note.retention ?? Retention(), now: now)
    try setLedger(note.encoded, name: RetentionNote.ledgerName)
    return note.sweep == nil ? .rests(until: now + Self.sweepPeriod) : .goesOn
  }

  /// Sets the maximum size of the store's file. Returns the maximum size in bytes of one job's
  /// items. If `wanted` is nil, the retention of the last config applies.
  func setLimits(_ wanted: Retention?, pagesMax: Int? = nil) throws -> Int64 {
    let known = try wanted ?? RetentionNote(ledgerEntry(RetentionNote.ledgerName)).retention
    let rule = known ?? Retention()
    let bytes = rule.bytesMax ?? StoreFiles.bytesUsual(path)
    let pages = pagesMax ?? Int(max(bytes, Retention.bytesMin) / Self.pageBytes)
    try db.execute("PRAGMA max_page_count = \(pages)")
    return rule.jobBytesMax ?? bytes / 4
  }

  private func restsUntil(
    _ note: RetentionNote, isPressed: Bool, _ now: Timestamp
  ) throws -> Timestamp {
    // The stored time may be in the future if the clock was set back afterwards.
    func end(_ last: Timestamp, _ period: Duration) -> Timestamp {
      last > now ? now : last + period
    }
    if isPressed, note.pressedAt.map({ end($0, Self.pressedPeriod) <= now }) ?? true { return now }
    if let last = note.endedAt { return end(last, Self.sweepPeriod) }
    // On its first day, a store rarely has data to remove.
    let first = try db.integer("SELECT started_at FROM runs ORDER BY number LIMIT 1")
    return (first.map { Timestamp(milliseconds: $0) } ?? now) + Self.sweepPeriod
  }

  /// Whether space is short, either within the maximum size or on the disk.
  private func isPressed() throws -> Bool {
    let row = try SQLStatement(
      db,
      """
      SELECT page_count - freelist_count, max_page_count
      FROM pragma_page_count, pragma_freelist_count, pragma_max_page_count
      """)
    defer { row.reset() }
    guard try row.step() else { return false }
    let (used, most) = (row.integer(0), row.integer(1))
    return Double(used) > Double(most) * Self.pressedShare || !StoreFiles.hasRoom(path)
  }

  func step(_ note: inout RetentionNote, _ usual: Retention, now: Timestamp) throws {
    guard var sweep = note.sweep else { return }
    let rule = sweep.isPressed ? usual.underPressure : usual
    guard try isOver(&sweep, rule, note, now) else { return note.sweep = sweep }
    if sweep.part == .versions, let count = rule.versionCount {
      (note.versionsThrough, note.versionCount) = (sweep.number, count)
    }
    if sweep.next() { return note.sweep = sweep }
    note.sweep = nil
    note.last = sweep
    note.endedAt = now
    if sweep.isPressed { note.pressedAt = now }
  }

  /// Performs one step of the sweep's present part. Returns whether the part is finished.
  private func isOver(
    _ sweep: inout RetentionSweep, _ rule: Retention, _ note: RetentionNote, _ now: Timestamp
  ) throws -> Bool {
    let runsBefore = rule.runDays.map { now.milliseconds - Self.milliseconds($0) }
    switch sweep.part {
    case .answers:
      guard let time = runsBefore else { return true }
      return try removeAnswers(before: time, &sweep)
    case .runs:
      guard let time = runsBefore else { return true }
      return try removeRuns(before: time, now, &sweep)
    case .transfers:
      guard let time = runsBefore else { return true }
      return try removeRange(
        of: "transfers", by: "id", where: "told = 1 AND updated_at < \(time)", &sweep)
    case .deliveries:
      guard let time = runsBefore else { return true }
      return try removeRange(
        of: "outbox", by: "id", where: "state = 'dead' AND created_at < \(time)", &sweep)
    case .origins: return try removeOrigins(before: now, &sweep)
    case .versions:
      guard let count = rule.versionCount else { return true }
      let isKnown = count >= note.versionCount
      sweep.number = max(sweep.number, isKnown ? note.versionsThrough : 0)
      return try removeVersions(keeping: max(1, count), &sweep)
    case .items: return try removeItems(rule, &sweep)
    }
  }

  static func milliseconds(_ days: Int) -> Int64 {
    Int64(min(max(0, days), Retention.daysMax)) * 86_400_000
  }

  // MARK: Rows by number

  private func removeAnswers(before time: Int64, _ sweep: inout RetentionSweep) throws -> Bool {
    try db.run(
      """
      DELETE FROM kept_runs WHERE number IN (
        SELECT number FROM kept_runs WHERE started_at < ? ORDER BY number LIMIT ?)
      """, time, RetentionSweep.answersMax)
    sweep.removedCount += changedRowCount
    return changedRowCount < RetentionSweep.answersMax
  }

  private func removeOrigins(before now: Timestamp, _ sweep: inout RetentionSweep) throws -> Bool {
    try db.run(
      """
      DELETE FROM origins WHERE origin IN (
        SELECT origin FROM origins WHERE cool_until < ? LIMIT ?)
      """, now.milliseconds, RetentionSweep.rowsMax)
    sweep.removedCount += changedRowCount
    return changedRowCount < RetentionSweep.rowsMax
  }

  /// Removes old runs. The rows are approximately in the order of the runs' starts. The removal
  /// therefore ends with the step that finds an ended run that is not old. A run whose time is in
  /// the future, because the clock was wrong, does not end the removal.
  private func removeRuns(
    before time: Int64, _ now: Timestamp, _ sweep: inout RetentionSweep
  ) throws -> Bool {
    let first = sweep.number
    let isOver = try removeRange(
      of: "runs", by: "number",
      where: "started_at < \(time) AND outcome <> '\(RunRow.runningWord)'", &sweep)
    let young = try db.integer(
      """
      SELECT number FROM runs WHERE number > ? AND number <= ? AND started_at BETWEEN ? AND ?
        AND outcome <> '\(RunRow.runningWord)' LIMIT 1
      """, first, sweep.number, time, now.milliseconds)
    return isOver || young != nil
  }

  /// Checks the next rows of a table, and removes the rows that meet the condition. Returns whether
  /// there are no more rows.
  private func removeRange(
    of table: String, by number: String, where condition: String, _ sweep: inout RetentionSweep
  ) throws -> Bool {
    let last = try db.integer(
      """
      SELECT max(number) FROM (
        SELECT \(number) AS number FROM \(table) WHERE \(number) > ?
        ORDER BY \(number) LIMIT ?)
      """, sweep.number, RetentionSweep.rowsMax)
    guard let last else { return true }
    try db.run(
      "DELETE FROM \(table) WHERE \(number) > ? AND \(number) <= ? AND \(condition)", sweep.number,
      last)
    sweep.removedCount += changedRowCount
    sweep.number = last
    return false
  }
}
