package import FetchStore
internal import GRDB

extension StoreReader {
  /// More than this of one job are not read: who wants to know looks for hostnames, which are few.
  private static let addressesMax = 10_000

  /// Addresses that runs of a job have asked, as far as the store remembers them: of answers that are
  /// asked for again with a condition, and of its transfers. In no order.
  package func addresses(of job: String) throws(StoreError) -> [String] {
    let rows = "SELECT url FROM %s JOIN jobs ON jobs.id = job WHERE name = ? LIMIT ?"
    let tables = ["validators"] + (hasTransfers ? ["transfers"] : [])
    return try read { db in
      try tables.flatMap { table in
        try String.fetchAll(
          db, sql: rows.replacing("%s", with: table), arguments: [job, Self.addressesMax])
      }
    }
  }
}
