package import FetchModel
package import FetchStore
package import FetchValues

extension StoreReader {
  /// Returns the pending transfers in the order of their requests, then the ended transfers, newest
  /// first.
  ///
  /// - Parameter endedLimit: the maximum number of ended transfers; nil for all.
  package func transfers(
    job: JobName? = nil, endedLimit: Int? = nil
  ) throws(StoreError) -> [TransferRecord] {
    let pending = try transfers(where: TransferRow.pending, job, order: "transfers.id", limit: nil)
    return try pending
      + transfers(
        where: "NOT \(TransferRow.pending)", job, order: "updated_at DESC, transfers.id DESC",
        limit: endedLimit)
  }

  /// Returns the transfers that still need work, in the order of their requests. They are the
  /// pending transfers, and the ended transfers of which the plugin has not been notified.
  package func openTransfers(
    after id: Int64 = 0, limit: Int? = nil
  ) throws(StoreError) -> [TransferRecord] {
    try transfers(
      where: "told = 0 AND transfers.id > \(id)", nil, order: "transfers.id", limit: limit)
  }

  /// Returns the ids of all `openTransfers`, in the same order.
  package func openTransferIDs() throws(StoreError) -> [Int64] {
    try read { db in
      try db.integers("SELECT id FROM transfers WHERE told = 0 ORDER BY id")
    }
  }

  /// Whether a job has a transfer that still needs work.
  package func hasOpenTransfers(of job: JobName) throws(StoreError) -> Bool {
    try read { db in
      try db.integer(
        """
        SELECT EXISTS (SELECT 1 FROM transfers JOIN jobs ON jobs.id = transfers.job
          WHERE told = 0 AND jobs.name = ?)
        """, job) == 1
    }
  }

  package func transfer(_ id: Int64) throws(StoreError) -> TransferRecord? {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
        WHERE transfers.id = ?
        """)
      row.bind(1, id)
      defer { row.reset() }
      return try row.step() ? TransferRow.record(row) : nil
    }
  }

  private func transfers(
    where condition: String, _ job: JobName?, order: String, limit: Int?
  ) throws(StoreError) -> [TransferRecord] {
    try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(TransferRow.columns) FROM transfers JOIN jobs ON jobs.id = transfers.job
        WHERE \(condition) \(job == nil ? "" : "AND jobs.name = ?2")
        ORDER BY \(order) LIMIT ?1
        """)
      row.bind(1, limit ?? -1)
      if let job { row.bind(2, job) }
      var records: [TransferRecord] = []
      while try row.step() {
        if let record = TransferRow.record(row) { records.append(record) }
      }
      return records
    }
  }
}
