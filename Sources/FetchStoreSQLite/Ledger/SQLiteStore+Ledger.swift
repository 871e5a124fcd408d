package import FetchModel
package import FetchStore
package import FetchValues

/// The writes of the outbox's entries in the ledger.
extension SQLiteStore {
  package func setPace(_ pace: [UInt8]?, of hook: HookName) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      let name = LedgerName.pace(ofHook: hook)
      if let pace {
        try connection.setLedger(pace, name: name)
      } else {
        try connection.removeLedgerEntry(name)
      }
    }
  }

  package func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { connection in
      let name = LedgerName.stale(what, hook: delivery.hook, job: delivery.job)
      let mark = StaleMark.bytes(since)
      guard try connection.ledgerEntry(name) != mark else { return false }
      try connection.setLedger(mark, name: name)
      try connection.insert(delivery)
      return true
    }
  }

  package func firstSeen(
    _ jobs: [JobName], now: Timestamp
  ) async throws(StoreError) -> [JobName: Timestamp] {
    try await queue.perform(isWrite: true) { connection in
      var seen: [JobName: Timestamp] = [:]
      for job in jobs {
        let name = LedgerName.firstSeen(job)
        if let entry = try connection.ledgerEntry(name) {
          seen[job] = StaleMark.time(entry) ?? now
        } else {
          try connection.setLedger(StaleMark.bytes(now), name: name)
          seen[job] = now
        }
      }
      return seen
    }
  }

  package func setConfigs(_ configs: StoreConfigs) async throws(StoreError) {
    try await queue.perform(isWrite: true) {
      try $0.setLedger(configs.encoded, name: LedgerName.configs)
    }
  }

  package func setWaits(_ waits: [JobName: Timestamp]) async throws(StoreError) {
    var object = ValueObject()
    for (job, time) in waits.sorted(by: { $0.key < $1.key }) {
      object.append(job.text, .integer(time.milliseconds))
    }
    let content = Value.object(object).encoded
    try await queue.perform(isWrite: true) { try $0.setLedger(content, name: LedgerName.waits) }
  }
}
