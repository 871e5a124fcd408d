internal import FetchModel
internal import FetchValues

extension WriterStatement {
  // A previous version has a lower sequence number. Otherwise the store is damaged, and its versions
  // could form an endless chain.
  static let nextChanges = WriterStatement(
    """
    SELECT sequence, CASE WHEN previous < sequence THEN previous END FROM changes
    WHERE sequence > ? ORDER BY sequence LIMIT ?
    """)
  static let previousChange = WriterStatement(
    "SELECT previous FROM changes WHERE sequence = ? AND previous < sequence")
  static let changeSize = WriterStatement(
    "SELECT job, \(StoreSchema.changeBytes) FROM changes WHERE sequence = ?")
  static let removeChange = WriterStatement("DELETE FROM changes WHERE sequence = ?")
  static let nextItems = WriterStatement(
    """
    SELECT key, last_seen_at, presence, sequence FROM items
    WHERE job = ? AND key > ? ORDER BY key LIMIT ?
    """)
  static let removeItem = WriterStatement("DELETE FROM items WHERE job = ? AND key = ?")
  static let markPruned = WriterStatement(
    "UPDATE items SET presence = \(KnownItem.Presence.pruned.rawValue) WHERE job = ? AND key = ?")
}

/// The retention of items. It removes superseded versions, and items that their sources have not
/// shown for a long time.
extension WriterConnection {
  private typealias Change = (sequence: Int64, previous: Int64?)

  /// The number of bytes that a step has removed, in total and by job.
  private struct Removed {
    var byteCount = 0
    var bytesByJob: [Int64: Int] = [:]
    var isEnough: Bool { byteCount >= RetentionSweep.bytesMax }
  }

  // MARK: Versions

  /// Checks the next changes and removes superfluous versions. Returns whether there are no more
  /// changes.
  func removeVersions(keeping count: Int, _ sweep: inout RetentionSweep) throws -> Bool {
    var removed = Removed()
    let changes = try nextChanges(after: sweep.number)
    for change in changes {
      if let previous = change.previous {
        if let first = try version(count - 1, before: previous),
          try !removeChain(from: first, &sweep, &removed)
        {
          break
        }
      }
      sweep.number = change.sequence
      if removed.isEnough { break }
    }
    try note(removed)
    return changes.count < RetentionSweep.rowsMax && sweep.number == changes.last?.sequence
      || changes.isEmpty
  }

  private func nextChanges(after sequence: Int64) throws -> [Change] {
    let row = try statement(.nextChanges)
    row.bind(1, sequence)
    row.bind(2, RetentionSweep.rowsMax)
    var changes: [Change] = []
    while try row.step() { changes.append((row.integer(0), row.optionalInteger(1))) }
    return changes
  }

  /// Returns the sequence number of the version that is `count` versions older than the given
  /// version. The result may be a version that was removed; it is nil if the chain ends earlier.
  private func version(_ count: Int, before sequence: Int64) throws -> Int64? {
    var version: Int64? = sequence
    for _ in 0..<count {
      guard let known = version else { return nil }
      version = try previous(of: known)
    }
    return version
  }

  /// Returns the sequence number of the previous version. Returns nil if there is none, or if the
  /// given version was removed.
  private func previous(of sequence: Int64) throws -> Int64? {
    let row = try statement(.previousChange)
    row.bind(1, sequence)
    defer { row.reset() }
    return try row.step() ? row.optionalInteger(0) : nil
  }

  /// Removes a version and all older versions. The oldest version is removed first, so that an
  /// interrupted removal can be continued. Returns whether all of these versions are removed.
  private func removeChain(
    from sequence: Int64, _ sweep: inout RetentionSweep, _ removed: inout Removed
  ) throws -> Bool {
    var chain: [Int64] = []
    var next: Int64? = sequence
    while let version = next {
      chain.append(version)
      next = try previous(of: version)
    }
    for version in chain.reversed() {
      if removed.isEnough { return false }
      try removeChange(version, &sweep, &removed)
    }
    return true
  }

  private func removeChange(
    _ sequence: Int64, _ sweep: inout RetentionSweep, _ removed: inout Removed
  ) throws {
    let size = try statement(.changeSize)
    size.bind(1, sequence)
    guard try size.step() else { return }
    let (job, bytes) = (size.integer(0), Int(size.integer(1)))
    size.reset()
    removed.byteCount += bytes
    removed.bytesByJob[job, default: 0] += bytes
    let row = try statement(.removeChange)
    row.bind(1, sequence)
    try row.run()
    sweep.removedCount += changedRowCount
  }

  private func note(_ removed: Removed) throws {
    for (job, bytes) in removed.bytesByJob { try addBytes(-bytes, job: job) }
  }

  // MARK: Items

  private struct ItemRow {
    var key: String
    var lastSeenAt: Int64
    var presence: KnownItem.Presence
    var sequence: Int64
  }

  /// Checks the next items of a job; the second pass removes the expired items. Returns whether all
  /// jobs have been checked.
  ///
  /// An item has expired if the source stopped showing it long before the latest time at which the
  /// source showed any item. The present time does not matter. No item therefore expires while its
  /// job is paused or its source is down. The stored last-seen time may be up to `lastSeenRenewal`
  /// too early.
  func removeItems(_ rule: Retention, _ sweep: inout RetentionSweep) throws -> Bool {
    if rule.itemDays == nil && rule.tombstoneDays == nil { return true }
    let items = try nextItems(sweep)
    var removed = Removed()
    for item in items {
      if sweep.isSecondTime {
        guard try remove(item, rule, &sweep, &removed) else { break }
      } else {
        sweep.newest = max(sweep.newest ?? item.lastSeenAt, item.lastSeenAt)
        if item.presence != .present || rule.itemDays != nil {
          sweep.oldest = min(sweep.oldest ?? item.lastSeenAt, item.lastSeenAt)
        }
      }
      sweep.key = item.key
      if removed.isEnough { break }
    }
    try note(removed)
    guard items.isEmpty || items.count < RetentionSweep.rowsMax && sweep.key == items.last?.key
    else { return false }
    if !sweep.isSecondTime, let newest = sweep.newest, let oldest = sweep.oldest,
      Self.isBefore(oldest, newest, by: KnownItem.lastSeenRenewal.wholeMilliseconds)
    {
      sweep.isSecondTime = true
      sweep.key = ""
      return false
    }
    let next = try db.integer("SELECT min(job) FROM items WHERE job > ?", sweep.job)
    guard let next else { return true }
    sweep.beginJob(next)
    return false
  }

  /// Whether `time` is more than a number of milliseconds before `newest`. The times of a damaged
  /// store may be any numbers.
  private static func isBefore(_ time: Int64, _ newest: Int64, by milliseconds: Int64) -> Bool {
    let (limit, isOverflow) = newest.subtractingReportingOverflow(milliseconds)
    return !isOverflow && time < limit
  }

  private func nextItems(_ sweep: RetentionSweep) throws -> [ItemRow] {
    let row = try statement(.nextItems)
    row.bind(1, sweep.job)
    row.bind(2, sweep.key)
    row.bind(3, RetentionSweep.rowsMax)
    var items: [ItemRow] = []
    while try row.step() {
      items.append(
        ItemRow(
          key: row.text(0) ?? "", lastSeenAt: row.integer(1),
          presence: UInt8(exactly: row.integer(2)).flatMap(KnownItem.Presence.init) ?? .pruned,
          sequence: row.integer(3)))
    }
    return items
  }

  /// Removes an item if it has expired. If the rule keeps the item's tombstone longer, removes only
  /// the item's versions. Returns false if the step must end before all of the versions are
  /// removed.
  private func remove(
    _ item: ItemRow, _ rule: Retention, _ sweep: inout RetentionSweep, _ removed: inout Removed
  ) throws -> Bool {
    func isUnseen(for days: Int?) -> Bool {
      guard let days, let newest = sweep.newest else { return false }
      let unseen = Self.milliseconds(days) + KnownItem.lastSeenRenewal.wholeMilliseconds
      return Self.isBefore(item.lastSeenAt, newest, by: unseen)
    }
    let losesContent = item.presence != .pruned && isUnseen(for: rule.itemDays)
    let goes = (item.presence != .present || losesContent) && isUnseen(for: rule.tombstoneDays)
    guard losesContent || goes else { return true }
    if item.presence != .pruned {
      guard try removeChain(from: item.sequence, &sweep, &removed) else { return false }
    }
    let row = try statement(goes ? .removeItem : .markPruned)
    row.bind(1, sweep.job)
    row.bind(2, item.key)
    try row.run()
    sweep.removedCount += changedRowCount
    return true
  }
}
