package import FetchStore
import FetchValues
internal import GRDB

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

  private static func hasRow(_ db: Database, _ sql: String, _ text: String) throws -> Bool {
    let row = try SQLStatement(db, sql)
    row.bind(1, text)
    return try row.step()
  }
}
