package import FetchStore
package import FetchValues

/// The rows of a store in an SQLite file, for copies.
package final class SQLiteTables: StoreTables {
  private let db: SQLConnection
  private let path: String

  /// - Parameter writes: whether rows will be added. If true, the caller must have the right to
  ///   write the store.
  package init(at path: String, writes: Bool) throws(StoreError) {
    self.path = path
    do {
      db = try SQLConnection(at: path, writes ? .readWrite : .readOnly)
      let version = try StoreSchema.version(of: db, path: path)
      guard version == StoreSchema.version else {
        throw StoreError(
          .rejected, "the store \(path) has an older format: run `fetchrun store migrate` first")
      }
      // Foreign keys are not checked: the rows come from a consistent store.
      try db.execute("PRAGMA mmap_size = 0; PRAGMA foreign_keys = 0; PRAGMA synchronous = FULL")
      try db.execute(writes ? "BEGIN IMMEDIATE" : "BEGIN")
    } catch { throw StoreError(error, path: path) }
  }

  package func read(
    _ table: StoreTable, of job: JobName?, _ body: ([[StoreCell]]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var condition = table.name == "ledger" ? "name <> '\(StoreTable.uncopiedEntry)'" : "TRUE"
    if job != nil {
      switch table.share {
      case .none: return
      case .all: break
      case .ofJob(let share): condition = share.replacing("@", with: "?1")
      }
    }
    let names = table.columns.map(\.name).joined(separator: ", ")
    do {
      let row = try SQLStatement(
        db, "SELECT \(names) FROM \(table.name) WHERE \(condition) ORDER BY \(table.order)")
      if condition.contains("?1"), let job { row.bind(1, job) }
      var rows: [[StoreCell]] = []
      var byteCount = 0
      while try row.step() {
        rows.append(table.columns.indices.map { Self.cell(row, Int32($0), table.columns[$0].kind) })
        byteCount += rows.last?.byteCount ?? 0
        if rows.count == Self.rowsMax || byteCount >= Self.bytesMax {
          try body(rows)
          (rows, byteCount) = ([], 0)
        }
      }
      if !rows.isEmpty { try body(rows) }
    } catch { throw StoreError(error, path: path) }
  }

  private static func cell(_ row: SQLStatement, _ column: Int32, _ kind: StoreTable.Kind)
    -> StoreCell
  {
    switch kind {
    case .integer, .flag, .mark: row.optionalInteger(column).map { .integer($0) } ?? .null
    case .name, .content, .bytes: row.bytes(column).map { .bytes($0) } ?? .null
    }
  }

  package func counters() throws(StoreError) -> StoreCounters {
    do {
      var counters = StoreCounters()
      counters.sequence = try last("changes")
      counters.ended = try RunEnds.last(db)
      counters.job = try db.integer("SELECT max(id) FROM jobs") ?? 0
      counters.delivery = try last("outbox")
      counters.transfer = try last("transfers")
      counters.subscription = try last("subscriptions")
      counters.kept = try last("kept_runs")
      counters.skip = try last("skips")
      return counters
    } catch { throw StoreError(error, path: path) }
  }

  private func last(_ table: String) throws -> Int64 {
    try db.integer("SELECT seq FROM sqlite_sequence WHERE name = ?", table) ?? 0
  }

  package func add(_ rows: [[StoreCell]], to table: StoreTable) throws(StoreError) {
    do {
      var names = table.columns.map(\.name)
      var values = names.map { _ in "?" }
      // The row number of an ended run is its `ended`. An unfinished run gets the next number after
      // all rows.
      if table.name == "runs" {
        names.append("number")
        values.append("coalesce(?17, (SELECT coalesce(max(number), 0) + 1 FROM runs))")
      }
      // The column `run` of `changes` is no longer read.
      if table.name == "changes" {
        names.append("run")
        values.append("0")
      }
      let row = try SQLStatement(
        db,
        "INSERT INTO \(table.name) (\(names.joined(separator: ", ")))"
          + " VALUES (\(values.joined(separator: ", ")))")
      for cells in rows {
        for (index, cell) in cells.enumerated() {
          Self.bind(cell, to: row, Int32(index + 1), table.columns[index].kind)
        }
        try row.run()
      }
    } catch { throw StoreError(error, path: path) }
  }

  private static func bind(
    _ cell: StoreCell, to row: SQLStatement, _ index: Int32, _ kind: StoreTable.Kind
  ) {
    switch kind {
    case .integer, .flag, .mark: row.bind(index, cell.integer)
    case .name, .content: row.bind(index, cell.bytes.map { String(decoding: $0, as: UTF8.self) })
    case .bytes: row.bind(index, cell.bytes)
    }
  }

  package func set(_ counters: StoreCounters) throws(StoreError) {
    do {
      let running =
        try db.integer("SELECT count(*) FROM runs WHERE outcome = ?", StoreSchema.runningWord) ?? 0
      for (table, number) in [
        ("changes", counters.sequence), ("runs", counters.ended + running),
        ("outbox", counters.delivery), ("transfers", counters.transfer),
        ("subscriptions", counters.subscription), ("kept_runs", counters.kept),
        ("skips", counters.skip),
      ] {
        try db.run("DELETE FROM sqlite_sequence WHERE name = ?", table)
        try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, number)
      }
    } catch { throw StoreError(error, path: path) }
  }

  package func clearLedger() throws(StoreError) {
    do { try db.execute("DELETE FROM ledger") } catch { throw StoreError(error, path: path) }
  }

  package func commit() throws(StoreError) {
    do { try db.execute("COMMIT") } catch { throw StoreError(error, path: path) }
  }
}
