package import FetchStore

extension StoreReader {
  /// The name of the job with an identity, by its key; nil where there is none.
  ///
  /// The jobs of earlier versions have no identity in the store: their key is their name.
  package func job(identity key: String) throws(StoreError) -> String? {
    let byIdentity = "SELECT name FROM jobs WHERE identity = ?1 ORDER BY id LIMIT 1"
    return try read { db in
      if try Self.hasRow(db, "SELECT 1 FROM jobs WHERE name = ?1", key) { return key }
      guard hasIdentities else { return nil }
      let row = try SQLStatement(db, byIdentity)
      row.bind(1, key)
      return try row.step() ? row.text(0) : nil
    }
  }

  /// Whether there is a job of that name.
  package func hasJob(_ name: String) throws(StoreError) -> Bool {
    try read { try Self.hasRow($0, "SELECT 1 FROM jobs WHERE name = ?1", name) }
  }

  private static func hasRow(_ db: SQLConnection, _ sql: String, _ text: String) throws -> Bool {
    let row = try SQLStatement(db, sql)
    row.bind(1, text)
    return try row.step()
  }

  package func jobs() throws(StoreError) -> [JobStatus] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT jobs.name, jobs.plugin,
          (SELECT count(*) FROM items WHERE items.job = jobs.id AND items.presence = 0),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id AND outcome <> 'failed'),
          (SELECT max(started_at) FROM runs WHERE runs.job = jobs.id AND outcome = 'newData')
        FROM jobs ORDER BY jobs.name
        """)
      var result: [JobStatus] = []
      while try row.step() {
        result.append(
          JobStatus(
            name: row.text(0) ?? "", plugin: row.text(1) ?? "", itemCount: Int(row.integer(2)),
            lastRunAt: row.optionalTime(3), lastSuccessAt: row.optionalTime(4),
            lastNewDataAt: row.optionalTime(5)))
      }
      return result
    }
  }

  /// Whether a run of the job has ended with a result: newData or noData.
  package func hasResult(of job: String) throws(StoreError) -> Bool {
    try read { db in
      let row = try SQLStatement(
        db, "SELECT 1 FROM jobs WHERE name = ? AND first_result_at IS NOT NULL")
      row.bind(1, job)
      defer { row.reset() }
      return try row.step()
    }
  }

  /// More than this of one job are not read: who wants to know looks for hostnames, which are few.
  private static let addressesMax = 10_000

  /// Addresses that runs of a job have asked, as far as the store remembers them: of answers that are
  /// asked for again with a condition, and of its transfers. In no order.
  package func addresses(of job: String) throws(StoreError) -> [String] {
    let rows = "SELECT url FROM %s JOIN jobs ON jobs.id = job WHERE name = ? LIMIT ?"
    let tables = ["validators"] + (hasTransfers ? ["transfers"] : [])
    return try read { db in
      try tables.flatMap { table in
        try db.texts(rows.replacing("%s", with: table), job, Self.addressesMax)
      }
    }
  }
}
