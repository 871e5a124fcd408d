package import FetchStore
package import FetchValues

/// The rows of a store in a PostgreSQL database, for copies.
package final class PostgresTables: StoreTables {
  private let connection: PostgresConnection
  private let server: PostgresAddress

  /// Connects to the server.
  ///
  /// - Parameter writes: whether rows will be added. If true, the caller must have the right to
  ///   write the store.
  package init(at address: StoreAddress, writes: Bool) async throws(StoreError) {
    let server = try PostgresAddress(address, password: try await address.password?.value())
    self.server = server
    connection = try Self.explaining(server) {
      let connection = try server.connect(isWriter: writes, name: "fetchrun copy")
      connection.answerMilliseconds = PostgresConnection.answerMillisecondsLong
      guard try PostgresSchema.check(connection, server.shown, for: writes ? .writing : .reading)
      else {
        throw PostgresSchema.missing(server.shown)
      }
      // Writing connections avoid sequential scans, but whole tables are read here.
      try connection.execute(
        """
        SET statement_timeout = 0; SET enable_seqscan = on;
        SET idle_in_transaction_session_timeout = 0;
        BEGIN ISOLATION LEVEL REPEATABLE READ \(writes ? "READ WRITE" : "READ ONLY")
        """)
      return connection
    }
  }

  @discardableResult
  private static func explaining<T>(
    _ server: PostgresAddress, _ body: () throws -> T
  ) throws(StoreError) -> T {
    do { return try body() } catch { throw StoreError(any: error, server.shown) }
  }

  package func read(
    _ table: StoreTable, of job: JobName?, _ body: ([[StoreCell]]) throws(StoreError) -> Void
  ) throws(StoreError) {
    var condition = table.name == "ledger" ? "name <> '\(StoreTable.uncopiedEntry)'" : "TRUE"
    if let job {
      switch table.share {
      case .none: return
      case .all: break
      case .ofJob(let share): condition = share.replacing("@", with: Self.quoted(job.text))
      }
    }
    try Self.explaining(server) {
      let names = table.columns.map(\.name).joined(separator: ", ")
      // The table `running` has no column `ended`.
      let source =
        table.name == "runs"
        ? "(SELECT \(names) FROM runs UNION ALL SELECT \(names.dropLast(5))NULL FROM running) AS runs"
        : table.name
      try connection.execute(
        """
        DECLARE rows_\(table.name) BINARY NO SCROLL CURSOR FOR
          SELECT \(names) FROM \(source) WHERE \(condition) ORDER BY \(table.order)
        """)
      // Rows of these tables may be large.
      let isLarge = ["changes", "outbox", "kept_runs"].contains(table.name)
      while true {
        let rows = try connection.run(
          PostgresStatement("FETCH \(isLarge ? 100 : Self.rowsMax) FROM rows_\(table.name)"))
        if rows.count == 0 { break }
        try body(rows.map { row in table.columns.indices.map { Self.cell(row, $0, table) } })
      }
      try connection.execute("CLOSE rows_\(table.name)")
    }
  }

  private static func cell(_ row: PostgresRow, _ column: Int, _ table: StoreTable) -> StoreCell {
    let index = Int32(column)
    switch table.columns[column].kind {
    case .integer, .flag: return row.optionalInteger(index).map { .integer($0) } ?? .null
    case .mark: return row.optionalInteger(index) == 1 ? .integer(1) : .null
    case .name, .content, .bytes: return row.bytes(index).map { .bytes($0) } ?? .null
    }
  }

  /// Returns a text without its NULs as an SQL literal. The server reads the scalars one by one, so
  /// a quote must be doubled even if a combining mark follows it.
  static func quoted(_ text: String) -> String {
    var literal = "'"
    for scalar in text.unicodeScalars where scalar != "\0" {
      literal.unicodeScalars.append(scalar)
      if scalar == "'" { literal.unicodeScalars.append(scalar) }
    }
    return literal + "'"
  }

  package func counters() throws(StoreError) -> StoreCounters {
    try Self.explaining(server) {
      let row = try connection.run(
        PostgresStatement(
          """
          SELECT sequence, ended, job, delivery, transfer, subscription, kept, skip
          FROM fetchrun.writer
          """)
      ).first
      var counters = StoreCounters()
      guard let row else { return counters }
      counters.sequence = row.integer(0)
      counters.ended = row.integer(1)
      counters.job = row.integer(2)
      counters.delivery = row.integer(3)
      counters.transfer = row.integer(4)
      counters.subscription = row.integer(5)
      counters.kept = row.integer(6)
      counters.skip = row.integer(7)
      return counters
    }
  }

  package func add(_ rows: [[StoreCell]], to table: StoreTable) throws(StoreError) {
    if table.name == "runs" {
      // Ended and unfinished runs are in different tables.
      let ended = rows.filter { $0.last != .null }
      try add(ended, to: "runs", table.columns)
      let running = rows.filter { $0.last == .null }.map { Array($0.dropLast()) }
      return try add(running, to: "running", table.columns.dropLast())
    }
    try add(rows, to: table.name, table.columns)
  }

  private func add(
    _ rows: [[StoreCell]], to table: String, _ columns: [StoreTable.Column]
  ) throws(StoreError) {
    var part: [[StoreCell]] = []
    var byteCount = 0
    for row in rows {
      part.append(row)
      byteCount += row.byteCount
      if byteCount < Self.bytesMax { continue }
      try insert(part, into: table, columns)
      (part, byteCount) = ([], 0)
    }
    try insert(part, into: table, columns)
  }

  private func insert(
    _ rows: [[StoreCell]], into table: String, _ columns: [StoreTable.Column]
  ) throws(StoreError) {
    if rows.isEmpty { return }
    try Self.explaining(server) {
      var arguments = PostgresArguments()
      var sources: [String] = []
      for (index, column) in columns.enumerated() {
        let cells = rows.map { $0[index] }
        let type: String
        switch column.kind {
        case .integer:
          arguments.add(cells.map(\.integer))
          type = "bigint"
        case .flag, .mark:
          arguments.add(cells.map { $0.integer == 1 })
          type = "boolean"
        case .name:
          arguments.add(texts: cells.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } })
          type = "text"
        case .content, .bytes:
          arguments.add(cells.map(\.bytes))
          type = "bytea"
        }
        sources.append("$\(index + 1)::\(type)[]")
      }
      let names = columns.map(\.name).joined(separator: ", ")
      try connection.run(
        PostgresStatement(
          """
          INSERT INTO fetchrun.\(table) (\(names))
          SELECT * FROM unnest(\(sources.joined(separator: ", ")))
          """), arguments)
    }
  }

  package func set(_ counters: StoreCounters) throws(StoreError) {
    var arguments = PostgresArguments()
    for number in [
      counters.sequence, counters.ended, counters.job, counters.delivery, counters.transfer,
      counters.subscription, counters.kept, counters.skip,
    ] { arguments.add(number) }
    try Self.explaining(server) {
      try connection.run(
        PostgresStatement(
          """
          UPDATE fetchrun.writer SET sequence = $1, ended = $2, job = $3, delivery = $4,
            transfer = $5, subscription = $6, kept = $7, skip = $8
          """), arguments)
    }
  }

  package func clearLedger() throws(StoreError) {
    try Self.explaining(server) { try connection.execute("DELETE FROM fetchrun.ledger") }
  }

  package func commit() throws(StoreError) {
    try Self.explaining(server) { try connection.execute("COMMIT") }
  }
}
