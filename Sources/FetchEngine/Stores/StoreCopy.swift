import FetchModel
package import FetchStore
import FetchValues

/// The functions that copy a store, or the data of one job, into another store.
package enum StoreCopy {
  /// The name of a table, the number of its rows, and a digest of the rows.
  package struct Table: Equatable, Sendable {
    package var name: String
    package var count: Int
    /// The SHA-256 of all rows, in the order in which they are read.
    package var digest: [UInt8]
  }

  /// Copies a store. Opens both stores for writing, so that no other process writes to them during
  /// the copy. The copy is committed as a whole, after the rows of both stores were compared.
  ///
  /// Throws `rejected` if both addresses are equal, the new store has data, or a table of the copy
  /// differs.
  ///
  /// - Parameters:
  ///   - open: opens a store for writing; the argument says whether a missing store is created.
  ///   - onTable: called for each table after it was copied and compared, before the commit.
  package static func copy(
    from source: StoreAddress, to target: StoreAddress,
    open: (StoreAddress, Bool) async throws(StoreError) -> any Store,
    onTable: (Table) -> Void
  ) async throws(StoreError) {
    guard source != target else {
      throw StoreError(.rejected, "both stores are \(source): name another store for the copy")
    }
    let (from, to) = (try await open(source, false), try await open(target, true))
    do throws(StoreError) {
      let (reading, writing) = (
        try await StoreOpener.tables(at: source, writes: false),
        try await StoreOpener.tables(at: target, writes: true)
      )
      try checkEmpty(writing, target)
      try writing.clearLedger()
      var copied: [Table] = []
      for table in StoreTable.all {
        copied.append(
          try digest(of: table, in: reading) { rows throws(StoreError) in
            try writing.add(rows, to: table)
          })
      }
      try writing.set(try reading.counters())
      for (table, copy) in zip(StoreTable.all, copied) {
        let found = try digest(of: table, in: writing) { _ throws(StoreError) in }
        guard found == copy else {
          throw StoreError(
            .rejected,
            "the table \(table.name) of \(target) (\(counted(found.count, "row"))) differs from"
              + " that of \(source) (\(counted(copy.count, "row"))): nothing was copied")
        }
        onTable(copy)
      }
      // Each of these calls fails if the right to write the store was lost during the copy.
      _ = (try await from.retention(), try await to.retention())
      try writing.commit()
    } catch {
      try? await from.close()
      try? await to.close()
      throw error
    }
    try await from.close()
    try await to.close()
  }

  /// Copies the rows that a run of one job depends on. The target must be the file of an existing,
  /// empty store.
  static func copy(
    ofJob job: JobName, from source: StoreAddress, to target: StoreAddress
  ) async throws(StoreError) {
    let (reading, writing) = (
      try await StoreOpener.tables(at: source, writes: false),
      try await StoreOpener.tables(at: target, writes: true)
    )
    for table in StoreTable.all {
      try reading.read(table, of: job) { rows throws(StoreError) in
        try writing.add(rows, to: table)
      }
    }
    try writing.set(try reading.counters())
    try writing.commit()
  }

  /// Throws an error if a table has rows. The ledger is not checked, because a new store may
  /// already have entries in it.
  private static func checkEmpty(
    _ tables: any StoreTables, _ address: StoreAddress
  ) throws(StoreError) {
    for table in StoreTable.all where table.name != "ledger" {
      var count = 0
      try tables.read(table, of: nil) { rows throws(StoreError) in count += rows.count }
      guard count == 0 else {
        throw StoreError(
          .rejected, "the store \(address) has data already: copy into a new store or database")
      }
    }
  }

  /// Returns the name, row count and digest of a table. Calls `pass` with each group of rows.
  private static func digest(
    of table: StoreTable, in tables: any StoreTables,
    _ pass: ([[StoreCell]]) throws(StoreError) -> Void
  ) throws(StoreError) -> Table {
    var hash = HashFunction(.sha256)
    var count = 0
    try tables.read(table, of: nil) { rows throws(StoreError) in
      count += rows.count
      var writer = ValueWriter()
      for cell in rows.joined() {
        switch cell {
        case .null: writer.writeNull()
        case .integer(let number): writer.write(number)
        case .bytes(let bytes): writer.write(bytes: bytes)
        }
      }
      hash.update(data: writer.bytes)
      try pass(rows)
    }
    return Table(name: table.name, count: count, digest: hash.finalize())
  }
}
