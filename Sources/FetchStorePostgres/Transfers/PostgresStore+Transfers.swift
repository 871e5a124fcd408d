package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension PostgresWriter {
  /// Queues a transfer, and removes the job's pending transfer to the same path.
  func queue(
    _ transfer: QueuedTransfer, job: Int64, at time: Timestamp, _ connection: PostgresConnection,
    _ numbers: inout WriterNumbers
  ) throws {
    let request = transfer.request
    numbers.transfer = max(numbers.transfer, transfer.id)
    var pending = PostgresArguments()
    pending.add(job)
    pending.add(content: request.to.text)
    try connection.run(
      PostgresStatement(
        """
        DELETE FROM fetchrun.transfers
        WHERE job = $1 AND sha256(path) = sha256($2) AND \(PostgresSchema.isPending)
        """), pending)
    var arguments = PostgresArguments()
    arguments.add(transfer.id)
    arguments.add(job)
    arguments.add(content: request.to.text)
    arguments.add(content: request.url)
    arguments.add(request.sha256)
    arguments.add(request.size)
    arguments.add(request.modified?.milliseconds)
    arguments.add(TransferRow.encoded(request.headers))
    arguments.add(content: request.backup?.text)
    arguments.add(text: TransferState.queued.rawValue)
    arguments.add(time)
    arguments.add(request.sealed?.stored.encoded)
    try connection.run(
      PostgresStatement(
        """
        INSERT INTO fetchrun.transfers (
          id, job, path, url, sha256, size, modified_at, headers, backup, state, told, received,
          total, has_strong_date, attempts, failures, changes, created_at, updated_at, sealed)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, 0, $6, false, 0, 0, 0, $11, $11, $12)
        """), arguments)
  }

  func update(_ record: TransferRecord, _ connection: PostgresConnection) throws -> Bool {
    var arguments = PostgresArguments()
    arguments.add(record.id)
    arguments.add(text: record.state.rawValue)
    arguments.add(record.isTold)
    arguments.add(record.download.receivedBytes)
    arguments.add(record.download.totalBytes)
    arguments.add(content: record.download.validators.etag)
    arguments.add(content: record.download.validators.lastModified)
    arguments.add(record.download.validators.hasStrongDate)
    arguments.add(content: record.boot)
    arguments.add(record.attemptCount)
    arguments.add(record.failureCount)
    arguments.add(record.failingSince?.milliseconds)
    arguments.add(record.changeCount)
    arguments.add(record.nextAttemptAt?.milliseconds)
    arguments.add(content: record.failure?.json)
    arguments.add(record.sha256)
    arguments.add(record.updatedAt)
    return try connection.run(
      PostgresStatement(
        """
        UPDATE fetchrun.transfers SET state = $2, told = $3, received = $4, total = $5, etag = $6,
          last_modified = $7, has_strong_date = $8, boot = $9, attempts = $10, failures = $11,
          failing_since = $12, changes = $13, next_attempt_at = $14, failure = $15,
          found_sha256 = $16, updated_at = $17
        WHERE id = $1
        """), arguments
    ).changedCount > 0
  }

  /// Records that the plugin was notified of an ended transfer. A pending transfer stays unchanged.
  func markTold(_ id: Int64, _ connection: PostgresConnection) throws {
    var arguments = PostgresArguments()
    arguments.add(id)
    try connection.run(
      PostgresStatement(
        "UPDATE fetchrun.transfers SET told = true WHERE id = $1 AND NOT \(PostgresSchema.isPending)"
      ),
      arguments)
  }
}

extension PostgresStore {
  package func newTransferID() async throws(StoreError) -> Int64 {
    lastTransferID.add(1, ordering: .relaxed).newValue
  }

  package func pendingTransfers(
    of job: JobName, to paths: [FilePath]
  ) async throws(StoreError) -> [FilePath: TransferRecord] {
    if paths.isEmpty { return [:] }
    var arguments = PostgresArguments()
    arguments.add(job)
    arguments.add(contents: paths.map(\.text))
    let records = try await look { [arguments] _, connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT \(TransferRow.columns) FROM fetchrun.jobs
            JOIN fetchrun.transfers ON transfers.job = jobs.id
          WHERE jobs.name = $1 AND path = ANY ($2::bytea[]) AND \(PostgresSchema.isPending)
          """), arguments
      ).compactMap { TransferRow.record($0) }
    }
    return Dictionary(records.map { ($0.request.to, $0) }) { first, _ in first }
  }

  package func update(_ transfer: TransferRecord) async throws(StoreError) -> Bool {
    try await write { writer, connection, _ in try writer.update(transfer, connection) }
  }
}

extension PostgresReading {
  package func transfers(
    job: JobName?, endedLimit: Int?
  ) async throws(StoreError) -> [TransferRecord] {
    let ofJob = job == nil ? "" : "AND jobs.name = $2"
    return try await reader.readAtOnce { connection in
      func records(_ condition: String, _ order: String, _ limit: Int?) throws -> [TransferRecord] {
        var arguments = PostgresArguments()
        arguments.add(limit.map { Int64($0) })
        if let job { arguments.add(job) }
        return try connection.run(
          PostgresStatement(
            """
            SELECT \(TransferRow.columns) FROM fetchrun.transfers
              JOIN fetchrun.jobs ON jobs.id = transfers.job
            WHERE \(condition) \(ofJob) ORDER BY \(order) LIMIT $1
            """), arguments
        ).compactMap { TransferRow.record($0) }
      }
      return try records(PostgresSchema.isPending, "transfers.id", nil)
        + records(
          "NOT \(PostgresSchema.isPending)", "updated_at DESC, transfers.id DESC", endedLimit)
    }
  }

  package func openTransfers(
    after id: Int64, limit: Int?
  ) async throws(StoreError) -> [TransferRecord] {
    var arguments = PostgresArguments()
    arguments.add(id)
    arguments.add(limit.map { Int64($0) })
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT \(TransferRow.columns) FROM fetchrun.transfers
            JOIN fetchrun.jobs ON jobs.id = transfers.job
          WHERE NOT told AND transfers.id > $1 ORDER BY transfers.id LIMIT $2
          """), arguments
      ).compactMap { TransferRow.record($0) }
    }
  }

  package func openTransferIDs() async throws(StoreError) -> [Int64] {
    try await reader.read { connection in
      try connection.run(
        PostgresStatement("SELECT id FROM fetchrun.transfers WHERE NOT told ORDER BY id")
      ).map { $0.integer(0) }
    }
  }

  package func hasOpenTransfers(of job: JobName) async throws(StoreError) -> Bool {
    var arguments = PostgresArguments()
    arguments.add(job)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT 1::bigint FROM fetchrun.transfers JOIN fetchrun.jobs ON jobs.id = transfers.job
          WHERE NOT told AND jobs.name = $1 LIMIT 1
          """), arguments
      ).count > 0
    }
  }

  package func transfer(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    var arguments = PostgresArguments()
    arguments.add(id)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT \(TransferRow.columns) FROM fetchrun.transfers
            JOIN fetchrun.jobs ON jobs.id = transfers.job
          WHERE transfers.id = $1
          """), arguments
      ).first.flatMap { TransferRow.record($0) }
    }
  }
}

// MARK: Subscriptions

extension PostgresStore {
  package func add(_ subscription: Subscription) async throws(StoreError) -> Int64 {
    try await write { writer, connection, numbers in
      guard let job = try writer.existingJob(subscription.job, connection) else {
        throw StoreError.noJob(subscription.job)
      }
      numbers.subscription += 1
      var arguments = PostgresArguments()
      arguments.add(numbers.subscription)
      arguments.add(subscription)
      arguments.add(job)
      arguments.add(content: subscription.topic)
      arguments.add(content: subscription.hub)
      arguments.add(subscription.capability)
      arguments.add(subscription.secret)
      try connection.run(
        PostgresStatement(
          """
          INSERT INTO fetchrun.subscriptions (
            id, state, asked_at, verified_at, lease_ends_at, next_at, pushes, last_push_at, missed,
            failures, failing_since, failure, trust, job, topic, hub, capability, secret)
          VALUES (
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
          """), arguments)
      return numbers.subscription
    }
  }

  package func update(_ subscriptions: [Subscription]) async throws(StoreError) {
    if subscriptions.isEmpty { return }
    try await write { _, connection, _ in
      for subscription in subscriptions {
        var arguments = PostgresArguments()
        arguments.add(subscription.id)
        arguments.add(subscription)
        try connection.run(
          PostgresStatement(
            """
            UPDATE fetchrun.subscriptions SET state = $2, asked_at = $3, verified_at = $4,
              lease_ends_at = $5, next_at = $6, pushes = $7, last_push_at = $8, missed = $9,
              failures = $10, failing_since = $11, failure = $12, trust = $13
            WHERE id = $1
            """), arguments)
      }
    }
  }

  package func removeSubscriptions(_ ids: [Int64]) async throws(StoreError) {
    if ids.isEmpty { return }
    var arguments = PostgresArguments()
    arguments.add(ids.map { $0 as Int64? })
    try await write { [arguments] _, connection, _ in
      _ = try connection.run(
        PostgresStatement("DELETE FROM fetchrun.subscriptions WHERE id = ANY ($1::bigint[])"),
        arguments)
    }
  }
}

extension PostgresArguments {
  /// Adds the changeable parts of a subscription.
  fileprivate mutating func add(_ subscription: Subscription) {
    add(text: subscription.state.rawValue)
    add(subscription.askedAt?.milliseconds)
    add(subscription.verifiedAt?.milliseconds)
    add(subscription.leaseEndsAt?.milliseconds)
    add(subscription.nextAt?.milliseconds)
    add(subscription.pushCount)
    add(subscription.lastPushAt?.milliseconds)
    add(subscription.missedCount)
    add(subscription.failureCount)
    add(subscription.failingSince?.milliseconds)
    add(content: subscription.failure)
    add(SubscriptionRow.encoded(subscription.trust))
  }
}

extension PostgresReading {
  package func subscriptions() async throws(StoreError) -> [Subscription] {
    try await reader.read { connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT \(SubscriptionRow.columns) FROM fetchrun.subscriptions
            JOIN fetchrun.jobs ON jobs.id = subscriptions.job ORDER BY subscriptions.id
          """)
      ).compactMap { SubscriptionRow.subscription($0) }
    }
  }

  package func subscription(capability: [UInt8]) async throws(StoreError) -> Subscription? {
    var arguments = PostgresArguments()
    arguments.add(capability)
    return try await reader.read { [arguments] connection in
      try connection.run(
        PostgresStatement(
          """
          SELECT \(SubscriptionRow.columns) FROM fetchrun.subscriptions
            JOIN fetchrun.jobs ON jobs.id = subscriptions.job WHERE capability = $1
          """), arguments
      ).first.flatMap { SubscriptionRow.subscription($0) }
    }
  }
}
