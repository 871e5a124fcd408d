package import FetchStore
package import FetchValues

extension StoreReader {
  /// Returns the name of the job with the identity key; nil if there is none.
  ///
  /// Jobs of earlier versions of fetchrun have no stored identity. The key of such a job is its
  /// name.
  package func job(identity key: String) throws(StoreError) -> JobName? {
    let byIdentity = "SELECT name FROM jobs WHERE identity = ?1 ORDER BY id LIMIT 1"
    return try read { db in
      if try Self.hasJob(JobName(key), db) { return JobName(key) }
      return hasIdentities ? try db.text(byIdentity, key).map { JobName($0) } : nil
    }
  }

  /// Whether the store has a job with the name.
  package func hasJob(_ name: JobName) throws(StoreError) -> Bool {
    try read { try Self.hasJob(name, $0) }
  }

  private static func hasJob(_ name: JobName, _ db: SQLConnection) throws -> Bool {
    try db.integer("SELECT 1 FROM jobs WHERE name = ?", name) != nil
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
            name: row.name(0), plugin: row.text(1) ?? "", itemCount: Int(row.integer(2)),
            lastRunAt: row.optionalTime(3), lastSuccessAt: row.optionalTime(4),
            lastNewDataAt: row.optionalTime(5)))
      }
      return result
    }
  }

  /// Whether a run of the job has ended with the outcome newData or noData.
  package func hasResult(of job: JobName) throws(StoreError) -> Bool {
    try read { db in
      try db.integer("SELECT first_result_at FROM jobs WHERE name = ?", job) != nil
    }
  }

  /// The maximum number of addresses that are read for one job. Callers need only the few hostnames
  /// in these addresses.
  private static let addressesMax = 10_000

  /// Returns stored addresses that runs of a job have requested: those with validators, and those
  /// of transfers. The addresses have no order.
  package func addresses(of job: JobName) throws(StoreError) -> [String] {
    let rows = "SELECT url FROM %s JOIN jobs ON jobs.id = job WHERE name = ? LIMIT ?"
    return try read { db in
      try ["validators", "transfers"].flatMap { table in
        try db.texts(rows.replacing("%s", with: table), job, Self.addressesMax)
      }
    }
  }
}
