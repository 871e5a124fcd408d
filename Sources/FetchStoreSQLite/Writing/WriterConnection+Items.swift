internal import FetchModel
internal import FetchValues

extension WriterConnection {
  /// What is known of these items: first by their keys, then, where a key says nothing or something
  /// else, by the alternates.
  func known(_ result: IdentifiedItems, job: Int64, withAllPresent: Bool) throws -> KnownItems {
    var known = KnownItems()
    guard try hasItems(job: job) else { return known }
    if withAllPresent { try readPresent(job: job, into: &known) }
    for item in result.items {
      try lookUp(item.key, job: job, into: &known)
      if known[item.key]?.fingerprint == item.fingerprint { continue }
      for key in item.alternates { try lookUp(key, job: job, into: &known) }
    }
    return known
  }

  /// Spares a job that has none a look-up for each of its first.
  private func hasItems(job: Int64) throws -> Bool {
    let row = try statement(.anyItem)
    row.bind(1, job)
    defer { row.reset() }
    return try row.step()
  }

  private func lookUp(_ key: ItemKey, job: Int64, into known: inout KnownItems) throws {
    guard known[key] == nil else { return }
    let row = try statement(.item)
    row.bind(1, job)
    row.bind(2, key.text)
    guard try row.step() else { return }
    known[key] = Self.knownItem(row)
    row.reset()
  }

  private func readPresent(job: Int64, into known: inout KnownItems) throws {
    let row = try statement(.presentItems)
    row.bind(1, job)
    while try row.step() { known[ItemKey(row.text(4) ?? "")] = Self.knownItem(row) }
  }

  private static func knownItem(_ row: SQLStatement) -> KnownItem {
    KnownItem(
      fingerprint: Fingerprint(
        high: UInt64(bitPattern: row.integer(0)), low: UInt64(bitPattern: row.integer(1))),
      presence: UInt8(exactly: row.integer(2)).flatMap(KnownItem.Presence.init) ?? .pruned,
      lastSeenAt: row.time(3))
  }

  /// Stores a run's changes and returns the sequence of the first, and what they take.
  func apply(
    _ changes: RunChanges, job: Int64, run: Int64, at now: Timestamp
  ) throws -> (first: Int64?, byteCount: Int) {
    var first: Int64?
    var byteCount = 0
    let isFirst = try !changes.changes.isEmpty && !hasItems(job: job)
    for change in changes.changes {
      let sequence = try apply(
        change, job: job, run: run, isFirst: isFirst, at: now, &byteCount)
      first = first ?? sequence
    }
    if byteCount > 0 { try addBytes(byteCount, job: job) }
    for key in changes.seen {
      let row = try statement(.markSeen)
      row.bind(1, job)
      row.bind(2, key.text)
      row.bind(3, now)
      try row.run()
    }
    return (first, byteCount)
  }

  private func apply(
    _ change: ItemChange, job: Int64, run: Int64, isFirst: Bool, at now: Timestamp,
    _ byteCount: inout Int
  ) throws -> Int64 {
    let previous = isFirst ? nil : try sequence(of: change.key, job: job)
    byteCount += try insert(change, job: job, run: run, previous: previous, at: now)
    let sequence = lastInsertedRow
    let row = try statement(previous == nil ? .insertItem : .updateItem)
    row.bind(1, job)
    row.bind(2, change.key.text)
    row.bind(3, Int64(bitPattern: change.fingerprint.high))
    row.bind(4, Int64(bitPattern: change.fingerprint.low))
    let presence: KnownItem.Presence = change.kind == .removed ? .removed : .present
    row.bind(5, Int64(presence.rawValue))
    row.bind(6, now)
    row.bind(7, sequence)
    try row.run()
    return sequence
  }

  private func sequence(of key: ItemKey, job: Int64) throws -> Int64? {
    let row = try statement(.sequence)
    row.bind(1, job)
    row.bind(2, key.text)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return row.integer(0)
  }

  /// `{}`, which the removal of an item has as its fields.
  private static let emptyFieldsBytes = 2

  /// Returns what it takes.
  private func insert(
    _ change: ItemChange, job: Int64, run: Int64, previous: Int64?, at now: Timestamp
  ) throws -> Int {
    let row = try statement(change.item == nil ? .insertRemoval : .insertChange)
    row.bind(1, job)
    row.bind(2, run)
    row.bind(3, Int64(change.kind.rawValue))
    row.bind(4, previous)
    row.bind(5, now)
    row.bind(6, change.key.text)
    guard let item = change.item else {
      try row.run()
      return ItemChange.storedBytes(key: change.key, fields: Self.emptyFieldsBytes)
    }
    let fields = item.fieldsJSON
    row.bind(7, item.title)
    row.bind(8, item.url)
    row.bind(9, item.published)
    try row.run(with: fields, at: 10)
    return ItemChange.storedBytes(key: change.key, fields: fields.count)
  }
}
