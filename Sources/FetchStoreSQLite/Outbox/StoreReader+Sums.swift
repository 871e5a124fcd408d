import FetchModel
package import FetchStore

extension StoreReader {
  package func sums() throws(StoreError) -> StoreSums {
    try read { db in
      var sums = StoreSums()
      let deliveries = try SQLStatement(
        db,
        """
        SELECT hook, state, count(*), min(created_at) FROM outbox GROUP BY hook, state ORDER BY hook
        """)
      while try deliveries.step() {
        guard let state = deliveries.text(1).flatMap(DeliveryState.init) else { continue }
        sums.add(
          deliveries.name(0), state, Int(deliveries.integer(2)), oldestAt: deliveries.time(3))
      }
      let transfers = try SQLStatement(db, "SELECT state, count(*) FROM transfers GROUP BY state")
      while try transfers.step() {
        guard let state = transfers.text(0).flatMap(TransferState.init) else { continue }
        sums.transfers[state] = Int(transfers.integer(1))
      }
      return sums
    }
  }
}
