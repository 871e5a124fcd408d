package import FetchModel
package import FetchStore
package import FetchValues

extension WriterStatement {
  static let ledgerEntry = WriterStatement("SELECT content FROM ledger WHERE name = ?")
  static let setLedger = WriterStatement(
    """
    INSERT INTO ledger (name, content) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET content = excluded.content
    """)
  static let removeLedgerEntry = WriterStatement("DELETE FROM ledger WHERE name = ?")
}

extension SQLConnection {
  func ledgerEntry(_ name: String) throws -> [UInt8]? {
    let row = try SQLStatement(self, "SELECT content FROM ledger WHERE name = ?")
    row.bind(1, name)
    defer { row.reset() }
    return try row.step() ? row.bytes(0) : nil
  }
}

extension WriterConnection {
  func ledgerEntry(_ name: String) throws -> [UInt8]? {
    let row = try statement(.ledgerEntry)
    row.bind(1, name)
    defer { row.reset() }
    return try row.step() ? row.bytes(0) : nil
  }

  func removeLedgerEntry(_ name: String) throws {
    let row = try statement(.removeLedgerEntry)
    row.bind(1, name)
    try row.run()
  }

  func setLedger(_ content: [UInt8], name: String) throws {
    let row = try statement(.setLedger)
    row.bind(1, name)
    row.bind(2, content)
    try row.run()
  }
}

extension StoreReader {
  /// Returns the contents of all entries of the ledger, by the names of the entries.
  package func ledger() throws(StoreError) -> [String: [UInt8]] {
    try read { db in
      var ledger: [String: [UInt8]] = [:]
      let row = try SQLStatement(db, "SELECT name, content FROM ledger")
      while try row.step() { ledger[row.text(0) ?? ""] = row.bytes(1) }
      return ledger
    }
  }

  /// Returns the ledger's entry with the given name; nil if there is none.
  package func ledgerEntry(_ name: String) throws(StoreError) -> [UInt8]? {
    try read { try $0.ledgerEntry(name) }
  }
}

/// The names of most rows in the table `ledger`. The names are part of the store's format. If a
/// name changed, the entries that older versions of fetchrun wrote would be lost.
enum LedgerName {
  static let budget = "budget"
  static let pausedAll = "pausedAll"
  static let learned = "adaptive"
  static let seed = "seed"
  static let habits = "reads"
  static let habitsOfJobs = "readsOfJobs"
  static let waits = "stale waits"
  static let configs = "configs"
  /// The beginning of the name of a lane's entry. The lane's hostname follows it.
  static let lanePrefix = "lane "

  static func pace(ofHook hook: HookName) -> String { "hook rate \(hook)" }

  static func firstSeen(_ job: JobName) -> String { "stale seen \(job)" }

  static func stale(_ what: StaleRule.What, hook: HookName, job: JobName) -> String {
    "stale \(what.rawValue) \(hook) \(job)"
  }
}

/// The encoding of the times in the ledger's entries about stale jobs. Each time takes eight bytes,
/// little-endian.
enum StaleMark {
  static func bytes(_ time: Timestamp) -> [UInt8] {
    withUnsafeBytes(of: time.milliseconds.littleEndian) { Array($0) }
  }

  /// Returns the time that the bytes encode; nil if they are not a valid time.
  static func time(_ bytes: [UInt8]) -> Timestamp? {
    guard bytes.count == 8 else { return nil }
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Timestamp(milliseconds: Int64(bitPattern: bits))
  }
}

/// The functions that read and decode entries of the ledger.
extension StoreReader {
  package func sharedMemory() throws(StoreError) -> SharedMemory {
    SharedMemory(ledger: try ledger())
  }

  package func paces(of hooks: Set<HookName>) throws(StoreError) -> [HookName: [UInt8]] {
    var paces: [HookName: [UInt8]] = [:]
    for hook in hooks { paces[hook] = try ledgerEntry(LedgerName.pace(ofHook: hook)) }
    return paces
  }

  package func configs() throws(StoreError) -> StoreConfigs {
    StoreConfigs(decoding: try ledgerEntry(LedgerName.configs) ?? [])
  }

  package func waits() throws(StoreError) -> [JobName: Timestamp] {
    let content = try ledgerEntry(LedgerName.waits) ?? []
    let object = (try? Value(encoded: content))?.objectValue ?? ValueObject()
    var waits: [JobName: Timestamp] = [:]
    for member in object.members {
      guard let time = member.value.integerValue else { continue }
      waits[JobName(member.key)] = Timestamp(milliseconds: time)
    }
    return waits
  }
}

/// The functions of `OutboxStore` that write entries of the ledger.
extension SQLiteStore {
  package func setPace(_ pace: [UInt8]?, of hook: HookName) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      let name = LedgerName.pace(ofHook: hook)
      if let pace {
        try connection.setLedger(pace, name: name)
      } else {
        try connection.removeLedgerEntry(name)
      }
    }
  }

  package func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { connection in
      let name = LedgerName.stale(what, hook: delivery.hook, job: delivery.job)
      let mark = StaleMark.bytes(since)
      guard try connection.ledgerEntry(name) != mark else { return false }
      try connection.setLedger(mark, name: name)
      try connection.insert(delivery)
      return true
    }
  }

  package func firstSeen(
    _ jobs: [JobName], now: Timestamp
  ) async throws(StoreError) -> [JobName: Timestamp] {
    try await queue.perform(isWrite: true) { connection in
      var seen: [JobName: Timestamp] = [:]
      for job in jobs {
        let name = LedgerName.firstSeen(job)
        if let entry = try connection.ledgerEntry(name) {
          seen[job] = StaleMark.time(entry) ?? now
        } else {
          try connection.setLedger(StaleMark.bytes(now), name: name)
          seen[job] = now
        }
      }
      return seen
    }
  }

  package func setConfigs(_ configs: StoreConfigs) async throws(StoreError) {
    try await queue.perform(isWrite: true) {
      try $0.setLedger(configs.encoded, name: LedgerName.configs)
    }
  }

  package func setWaits(_ waits: [JobName: Timestamp]) async throws(StoreError) {
    var object = ValueObject()
    for (job, time) in waits.sorted(by: { $0.key < $1.key }) {
      object.append(job.text, .integer(time.milliseconds))
    }
    let content = Value.object(object).encoded
    try await queue.perform(isWrite: true) { try $0.setLedger(content, name: LedgerName.waits) }
  }
}

extension SharedMemory {
  /// The ledger's rows for the parts of this memory, by entry name.
  var ledger: [String: [UInt8]] {
    var ledger: [String: [UInt8]] = [:]
    ledger[LedgerName.budget] = budget
    ledger[LedgerName.learned] = learned
    ledger[LedgerName.habits] = habits
    ledger[LedgerName.habitsOfJobs] = habitsOfJobs
    ledger[LedgerName.seed] = seed.map { Self.encoded(Int64(bitPattern: $0)) }
    switch pause {
    case .since(let time): ledger[LedgerName.pausedAll] = Self.encoded(time.milliseconds)
    case .over: ledger[LedgerName.pausedAll] = Self.encoded(nil)
    case nil: break
    }
    for (hostname, marks) in lanes { ledger[LedgerName.lanePrefix + hostname] = marks }
    return ledger
  }

  /// Creates the memory from the ledger's rows. An unreadable seed counts as missing, and an
  /// unreadable pause counts as over.
  init(ledger: [String: [UInt8]]) {
    self.init()
    budget = ledger[LedgerName.budget]
    learned = ledger[LedgerName.learned]
    habits = ledger[LedgerName.habits]
    habitsOfJobs = ledger[LedgerName.habitsOfJobs]
    seed = ledger[LedgerName.seed].flatMap(Self.integer).map { UInt64(bitPattern: $0) }
    pause = ledger[LedgerName.pausedAll].map { content in
      Self.integer(content).map { .since(Timestamp(milliseconds: $0)) } ?? .over
    }
    for (name, marks) in ledger where name.hasPrefix(LedgerName.lanePrefix) {
      lanes[String(name.dropFirst(LedgerName.lanePrefix.count))] = marks
    }
  }

  private static func encoded(_ number: Int64?) -> [UInt8] {
    var writer = ValueWriter()
    writer.writeOptional(number)
    return writer.bytes
  }

  private static func integer(_ content: [UInt8]) -> Int64? {
    try? ValueReader.read(content) { reader throws(ValueError) in try reader.readInteger() }
  }
}

extension WriterConnection {
  func setShared(_ memory: SharedMemory) throws {
    for (name, content) in memory.ledger { try setLedger(content, name: name) }
  }
}
