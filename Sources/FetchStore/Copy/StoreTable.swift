package import FetchValues

/// A table that each kind of store has, with the columns that a copy keeps.
///
/// The types of a column may differ. For example, a text that a source has written is TEXT in
/// SQLite and `bytea` in PostgreSQL, whose `text` cannot hold a NUL.
package struct StoreTable: Sendable {
  package enum Kind: Sendable {
    case integer
    /// A truth value, which SQLite stores as 0 or 1.
    case flag
    /// A truth value, which SQLite stores as 1 or NULL.
    case mark
    /// A text of fetchrun or of the config, without a NUL.
    case name
    /// A text with any content, such as a text of a source, a plugin or a server. It may contain a
    /// NUL.
    case content
    case bytes
  }

  package struct Column: Sendable {
    package let name: String
    package let kind: Kind
  }

  /// The rows of a table that a dry run of one job needs.
  package enum Share: Sendable {
    case none
    case all
    /// The rows for which an SQL condition is true. In the condition, `@` stands for the name of
    /// the job.
    case ofJob(String)
  }

  package let name: String
  package let columns: [Column]
  /// The SQL expressions by which the rows are sorted. The order is the same in each store.
  package let order: String
  package let share: Share

  private init(_ name: String, order: String, _ columns: String, _ share: Share = .none) {
    self.name = name
    self.order = order
    self.share = share
    self.columns = columns.split(whereSeparator: \.isWhitespace).map { word in
      let sides = word.split(separator: ":")
      let kind: Kind =
        switch sides.count > 1 ? sides[1] : "" {
        case "flag": .flag
        case "mark": .mark
        case "name": .name
        case "text": .content
        case "bytes": .bytes
        default: .integer
        }
      return Column(name: String(sides[0]), kind: kind)
    }
  }
}

/// A value in a row of a copy. Texts are UTF-8 bytes.
package enum StoreCell: Hashable, Sendable {
  case null
  case integer(Int64)
  case bytes([UInt8])

  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

extension StoreTable {
  private static let ofJob = Share.ofJob("job IN (SELECT id FROM jobs WHERE name = @)")

  /// The tables of a copy. `jobs` comes first, because rows of other tables refer to jobs.
  package static let all = [
    StoreTable(
      "jobs", order: "id",
      "id name:name plugin:name first_result_at state:bytes schedule:bytes bytes identity:name",
      .ofJob("name = @")),
    StoreTable("learned", order: "job", "job content:bytes"),
    StoreTable(
      "validators", order: "job, url",
      "job url:text etag:text last_modified:text body_hash:bytes last_full_answer_at reading:bytes",
      ofJob),
    StoreTable(
      "grants", order: "job, plugin",
      "job plugin:text hash:bytes asked:text granted_at source:name", ofJob),
    StoreTable(
      "runs", order: "ended IS NULL, ended, run",
      """
      run:bytes job plugin:name trigger:name outcome:name reason:name added updated removed started_at
      duration_ms cpu_us requests received_bytes failure:text next_due_at ended
      """),
    StoreTable(
      "items", order: "job, key",
      "job key:text fingerprint_high fingerprint_low presence last_seen_at sequence", ofJob),
    StoreTable(
      "changes", order: "sequence",
      """
      sequence job kind previous seen_at key:text title:text url:text published:text fields:text
      """,
      .ofJob(
        """
        sequence IN (SELECT sequence FROM items WHERE job IN (SELECT id FROM jobs WHERE name = @))
        """)),
    StoreTable("origins", order: "origin", "origin:name cool_until", .all),
    StoreTable("ledger", order: "name", "name:name content:bytes", .all),
    StoreTable("skips", order: "number", "number job:name skipped_at reason:text"),
    StoreTable(
      "kept_runs", order: "number",
      "number run:bytes job:name started_at bytes content:bytes answerless:mark"),
    StoreTable(
      "transfers", order: "id",
      """
      id job path:text url:text sha256:bytes size modified_at headers:bytes backup:text state:name
      told:flag received total etag:text last_modified:text has_strong_date:flag boot:text attempts
      failures failing_since changes next_attempt_at failure:text found_sha256:bytes created_at
      updated_at sealed:bytes
      """, ofJob),
    StoreTable(
      "outbox", order: "id",
      """
      id hook:name job:name run:bytes event:name key:text payload:text state:name digest attempts
      failing_since next_attempt_at failure:text created_at
      """),
    StoreTable(
      "subscriptions", order: "id",
      """
      id job topic:text hub:text capability:bytes secret:bytes state:name asked_at verified_at
      lease_ends_at next_at pushes last_push_at missed failures failing_since failure:text
      trust:bytes
      """),
  ]

  /// The entry of the ledger that each kind of store writes in its own form. A copy leaves it out.
  package static let uncopiedEntry = "retention"
}

/// The last numbers that a store has assigned. A copy continues after these numbers.
package struct StoreCounters: Equatable, Sendable {
  package var sequence: Int64 = 0
  package var ended: Int64 = 0
  package var job: Int64 = 0
  package var delivery: Int64 = 0
  package var transfer: Int64 = 0
  package var subscription: Int64 = 0
  package var kept: Int64 = 0
  package var skip: Int64 = 0

  package init() {}
}

/// The rows of a store, for copies. The functions block until they have finished.
///
/// The type is not Sendable, because each object has a connection. Only one thread at a time may
/// use an object. Until `commit`, all reads see the store at the instant of the first read, with
/// the changes that the same object has made since.
package protocol StoreTables {
  /// Reads the rows of a table in the order `table.order`. Leaves out the ledger's entry
  /// `StoreTable.uncopiedEntry`.
  ///
  /// - Parameters:
  ///   - job: the job of a dry run, which limits the rows to `table.share`; nil for all rows.
  ///   - body: receives the rows in groups of at most `rowsMax`.
  func read(
    _ table: StoreTable, of job: JobName?, _ body: ([[StoreCell]]) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Returns the last numbers that the store has assigned.
  func counters() throws(StoreError) -> StoreCounters

  /// Adds rows to a table. All added rows belong to one transaction. `commit` ends the transaction.
  func add(_ rows: [[StoreCell]], to table: StoreTable) throws(StoreError)

  /// Sets the last assigned numbers. From now on, the store assigns higher numbers.
  func set(_ counters: StoreCounters) throws(StoreError)

  /// Removes all entries of the ledger. Opening a store may already write entries.
  func clearLedger() throws(StoreError)

  /// Makes all changes durable.
  func commit() throws(StoreError)
}

extension StoreTables {
  /// The maximum number of rows that are read or written together.
  package static var rowsMax: Int { 2_000 }
  /// The size in bytes at which a group ends before it has `rowsMax` rows. Reads from PostgreSQL do
  /// not use this limit.
  package static var bytesMax: Int { 8 << 20 }
}

extension [StoreCell] {
  /// The approximate size of the row, in bytes. Each number and each NULL counts as 8 bytes.
  package var byteCount: Int { reduce(0) { $0 + ($1.bytes?.count ?? 8) } }
}
