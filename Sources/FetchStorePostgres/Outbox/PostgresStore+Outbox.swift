package import FetchModel
package import FetchStore
package import FetchValues

extension PostgresWriter {
  func insert(
    _ delivery: NewDelivery, _ connection: PostgresConnection, _ numbers: inout WriterNumbers
  ) throws {
    numbers.delivery += 1
    var arguments = PostgresArguments()
    arguments.add(numbers.delivery)
    arguments.add(delivery.hook)
    arguments.add(delivery.job)
    arguments.add(delivery.run?.bytes)
    arguments.add(text: delivery.event.rawValue)
    arguments.add(content: delivery.key)
    arguments.add(content: delivery.payload.text(firstSequence: 0))
    arguments.add(delivery.notBefore?.milliseconds)
    arguments.add(delivery.createdAt)
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.outbox (
          id, hook, job, run, event, key, payload, next_attempt_at, created_at, state, attempts)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', 0)
        """), arguments)
  }
}

extension PostgresStore {
  package func update(_ deliveries: [Delivery]) async throws(StoreError) {
    if deliveries.isEmpty { return }
    var arguments = PostgresArguments()
    arguments.add(deliveries.map { $0.id as Int64? })
    arguments.add(texts: deliveries.map(\.state.rawValue))
    arguments.add(deliveries.map(\.digest))
    arguments.add(deliveries.map { Int64($0.attemptCount) as Int64? })
    arguments.add(deliveries.map { $0.failingSince?.milliseconds })
    arguments.add(deliveries.map { $0.nextAttemptAt?.milliseconds })
    arguments.add(contents: deliveries.map(\.failure))
    try await write { [arguments] _, connection, _ in
      _ = try connection.run(
        PostgresStatement(
          """
          UPDATE fetchrun.outbox SET state = new.state, digest = new.digest,
            attempts = new.attempts, failing_since = new.failing_since,
            next_attempt_at = new.next_attempt_at, failure = new.failure
          FROM unnest(
            $1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::bytea[])
            AS new (id, state, digest, attempts, failing_since, next_attempt_at, failure)
          WHERE outbox.id = new.id
          """), arguments)
    }
  }

  package func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError) {
    if times.isEmpty { return }
    var arguments = PostgresArguments()
    arguments.add(times.map { $0.key as Int64? })
    arguments.add(times.map { $0.value?.milliseconds })
    try await write { [arguments] _, connection, _ in
      _ = try connection.run(
        PostgresStatement(
          """
          UPDATE fetchrun.outbox SET next_attempt_at = new.at
          FROM unnest($1::bigint[], $2::bigint[]) AS new (id, at)
          WHERE outbox.id = new.id AND state = 'pending' AND digest IS NULL AND attempts = 0
            AND failure IS NULL
          """), arguments)
    }
  }

  package func removeDeliveries(_ ids: [Int64]) async throws(StoreError) {
    if ids.isEmpty { return }
    var arguments = PostgresArguments()
    arguments.add(ids.map { $0 as Int64? })
    try await write { [arguments] _, connection, _ in
      _ = try connection.run(
        PostgresStatement("DELETE FROM fetchrun.outbox WHERE id = ANY ($1::bigint[])"), arguments)
    }
  }
}

extension PostgresReading {
  package func pendingDeliveries(after id: Int64) async throws(StoreError) -> [Delivery] {
    var arguments = PostgresArguments()
    arguments.add(id)
    return try await deliveries("state = 'pending' AND id > $1", arguments, withPayload: false)
  }

  package func deliveries(_ ids: [Int64]) async throws(StoreError) -> [Delivery] {
    var arguments = PostgresArguments()
    arguments.add(ids.map { $0 as Int64? })
    let found = try await deliveries("id = ANY ($1::bigint[])", arguments, withPayload: true)
    let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }
  }

  package func listedDeliveries(
    onlyDead: Bool, hook: HookName?
  ) async throws(StoreError) -> [Delivery] {
    let condition = onlyDead ? "state = 'dead'" : "true"
    var arguments = PostgresArguments()
    guard let hook else { return try await deliveries(condition, arguments, withPayload: false) }
    arguments.add(hook)
    return try await deliveries("\(condition) AND hook = $1", arguments, withPayload: false)
  }

  private func deliveries(
    _ condition: String, _ arguments: PostgresArguments, withPayload: Bool
  ) async throws(StoreError) -> [Delivery] {
    let columns = DeliveryRow.columns(withPayload: withPayload)
    return try await reader.read { connection in
      try connection.run(
        PostgresStatement("SELECT \(columns) FROM fetchrun.outbox WHERE \(condition) ORDER BY id"),
        arguments
      ).compactMap { DeliveryRow.delivery($0) }
    }
  }

  package func deliveryCounts() async throws(StoreError) -> (pending: Int, dead: Int) {
    try await reader.read { connection in
      let row = try connection.run(
        PostgresStatement(
          """
          SELECT count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'dead')
          FROM fetchrun.outbox
          """)
      ).first
      return (Int(clamping: row?.integer(0) ?? 0), Int(clamping: row?.integer(1) ?? 0))
    }
  }

  package func sums() async throws(StoreError) -> StoreSums {
    try await reader.readAtOnce { connection in
      var sums = StoreSums()
      try connection.run(
        PostgresStatement(
          """
          SELECT hook, state, count(*), min(created_at) FROM fetchrun.outbox
          GROUP BY hook, state ORDER BY hook
          """)
      ).forEach { row in
        guard let state = row.text(1).flatMap(DeliveryState.init) else { return }
        sums.add(row.name(0), state, Int(clamping: row.integer(2)), oldestAt: row.time(3))
      }
      try connection.run(
        PostgresStatement("SELECT state, count(*) FROM fetchrun.transfers GROUP BY state")
      ).forEach { row in
        guard let state = row.text(0).flatMap(TransferState.init) else { return }
        sums.transfers[state] = Int(clamping: row.integer(1))
      }
      return sums
    }
  }
}
