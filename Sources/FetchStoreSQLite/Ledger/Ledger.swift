package import FetchStore

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
  /// Returns the scheduler's memory of all jobs together, by the names of the ledger's entries.
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
