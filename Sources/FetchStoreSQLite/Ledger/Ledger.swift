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
    LedgerName.waits(in: try ledgerEntry(LedgerName.waits))
  }
}

/// The functions that write entries of the ledger.
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
    let content = LedgerName.content(waits)
    try await queue.perform(isWrite: true) { try $0.setLedger(content, name: LedgerName.waits) }
  }
}

extension WriterConnection {
  /// Stores entries at the end of the transaction. Each run changes the same few entries, and a
  /// transaction contains many runs.
  func setShared(_ memory: SharedMemory) {
    shared.merge(memory)
  }

  /// Stores the parts that `setShared` has received in this transaction.
  func writeShared() throws {
    for (name, content) in shared.ledger { try setLedger(content, name: name) }
    shared = SharedMemory()
  }
}
