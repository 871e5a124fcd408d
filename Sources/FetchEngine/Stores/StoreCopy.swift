import FetchModel
package import FetchStore
import FetchValues

/// A copy of a whole store into a new store of any kind.
package enum StoreCopy {
  /// The number of rows of a table, and the digest of its rows.
  package struct Table: Equatable, Sendable {
    package var name: String
    package var count: Int
    /// SHA-256 of all rows in their order.
    package var digest: [UInt8]
  }

  /// Copies a store. No process may write to either store at the same time; this function waits for
  /// such a process, and then has the right to write both. The copy appears as a whole, after the
  /// rows of both stores were compared, or not at all.
  ///
  /// Throws `rejected` if the new store has data, or if the stores differ in the end.
  ///
  /// - Parameters:
  ///   - open: opens a store for writing; the argument says whether a missing store is created.
  ///   - onTable: called for each table after it was copied and compared.
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
      // Each of these calls fails if the right to write the store was lost meanwhile.
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

  /// Copies the data that a run of one job depends on from a database into an open store in a file.
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

  /// Throws an error if the store has rows. An opened store may have entries in its ledger.
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

  /// Reads a table, and passes its rows on.
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
