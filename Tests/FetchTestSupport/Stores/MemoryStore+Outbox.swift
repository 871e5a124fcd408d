package import FetchModel
package import FetchStore
package import FetchValues

// MARK: Schedules

extension MemoryStore {
  package func schedules(after mark: PageMark?) throws(StoreError) -> Page<JobMemory> {
    try with { state in
      var last: Int64 = 0
      if case .row(let row) = mark { last = row }
      let jobs = state.orderedJobs.filter { $0.id > last && $0.schedule != nil }
      let page = jobs.prefix(PageMark.countMax)
      let next = jobs.count > page.count ? page.last.map { PageMark.row($0.id) } : nil
      return Page(
        page.compactMap { job in
          job.schedule.map { JobMemory(job: job.name, schedule: $0) }
        }, next: next)
    }
  }

  package func sharedMemory() throws(StoreError) -> SharedMemory { try with { $0.shared } }

  package func coolDowns(after now: Timestamp) throws(StoreError) -> [ExactText: Timestamp] {
    try with { state in
      state.coolDowns.filter { $0.value > now && $0.value <= now + RetryAfter.delayMax }
    }
  }

  package func skips(job: String?, limit: Int) throws(StoreError) -> [SkipRecord] {
    try with { state in
      let skips = state.skips.reversed().filter { skip in
        job.map { ExactText(skip.job) == ExactText($0) } ?? true
      }
      return Array(skips.prefix(limit))
    }
  }

  package func abandoned() throws(StoreError) -> [String] { try with { $0.recovery.abandonedJobs } }

  package func remember(_ memory: SchedulerMemory) throws(StoreError) {
    try with { state in
      for (name, plugin, schedule) in memory.schedules {
        state.change(name, plugin: plugin) { $0.remember(schedule) }
      }
      state.shared.merge(memory.shared)
      state.coolDowns.merge(memory.coolDowns, uniquingKeysWith: max)
      let rescued = Set(memory.rescued.map(ExactText.init))
      state.recovery.abandonedJobs.removeAll { rescued.contains(ExactText($0)) }
      state.skips += memory.skips
      for job in Set(memory.skips.map { ExactText($0.job) }) {
        let all = state.skips.indices.filter { ExactText(state.skips[$0].job) == job }
        for index in all.dropLast(SkipRecord.keptPerJob).reversed() {
          state.skips.remove(at: index)
        }
      }
    }
  }

  package func forgetAbandoned(_ job: String) throws(StoreError) {
    var memory = SchedulerMemory()
    memory.rescued = [job]
    try remember(memory)
  }
}

// MARK: Transfers

extension MemoryStore {
  package func transfers(
    job: String?, endedLimit: Int?
  ) throws(StoreError) -> [TransferRecord] {
    try with { state in
      let all = state.transfers.values.filter { transfer in
        job.map { ExactText(transfer.job) == ExactText($0) } ?? true
      }
      let pending = all.filter(\.state.isPending).sorted { $0.id < $1.id }
      let ended = all.filter { !$0.state.isPending }
        .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
      return pending + ended.prefix(endedLimit ?? .max)
    }
  }

  package func openTransfers(
    after id: Int64, limit: Int?
  ) throws(StoreError) -> [TransferRecord] {
    try with { state in
      let open = state.transfers.values.filter { !$0.isTold && $0.id > id }
      return Array(open.sorted { $0.id < $1.id }.prefix(limit ?? .max))
    }
  }

  package func openTransferIDs() throws(StoreError) -> [Int64] {
    try openTransfers(after: 0, limit: nil).map(\.id)
  }

  package func hasOpenTransfers(of job: String) throws(StoreError) -> Bool {
    try openTransfers(after: 0, limit: nil).contains { ExactText($0.job) == ExactText(job) }
  }

  package func transfer(_ id: Int64) throws(StoreError) -> TransferRecord? {
    try with { $0.transfers[id] }
  }

  package func newTransferID() throws(StoreError) -> Int64 {
    try with { state in
      state.lastTransferID += 1
      return state.lastTransferID
    }
  }

  package func pendingTransfers(
    of job: String, to paths: [FilePath]
  ) throws(StoreError) -> [FilePath: TransferRecord] {
    try with { state in
      var found: [FilePath: TransferRecord] = [:]
      for transfer in state.transfers.values
      where transfer.state.isPending && ExactText(transfer.job) == ExactText(job)
        && paths.contains(transfer.request.to)
      {
        found[transfer.request.to] = transfer
      }
      return found
    }
  }

  package func update(_ transfer: TransferRecord) throws(StoreError) -> Bool {
    try with { state in
      guard state.transfers[transfer.id] != nil else { return false }
      state.transfers[transfer.id] = transfer
      return true
    }
  }
}

// MARK: Deliveries

extension MemoryStore {
  package func pendingDeliveries(after id: Int64) throws(StoreError) -> [Delivery] {
    try listed { $0.state == .pending && $0.id > id }
  }

  package func deliveries(_ ids: [Int64]) throws(StoreError) -> [Delivery] {
    try with { state in ids.compactMap { state.outbox[$0] } }
  }

  package func listedDeliveries(
    onlyDead: Bool, hook: String?
  ) throws(StoreError) -> [Delivery] {
    try listed { delivery in
      (!onlyDead || delivery.state == .dead) && (hook.map { $0 == delivery.hook } ?? true)
    }
  }

  private func listed(
    _ isWanted: @Sendable (Delivery) -> Bool
  ) throws(StoreError) -> [Delivery] {
    let all = try with { $0.outbox.values.sorted { $0.id < $1.id } }
    return all.filter(isWanted).map { delivery in
      var delivery = delivery
      delivery.payload = ""
      return delivery
    }
  }

  package func deliveryCounts() throws(StoreError) -> (pending: Int, dead: Int) {
    let all = try listed { _ in true }
    let pending = all.count { $0.state == .pending }
    return (pending, all.count - pending)
  }

  package func paces(of hooks: Set<String>) throws(StoreError) -> [String: [UInt8]] {
    try with { $0.paces.filter { hooks.contains($0.key) } }
  }

  package func waits() throws(StoreError) -> [ExactText: Timestamp] { try with { $0.waits } }

  package func update(_ deliveries: [Delivery]) throws(StoreError) {
    try with { state in
      for delivery in deliveries {
        guard var stored = state.outbox[delivery.id] else { continue }
        stored.state = delivery.state
        stored.digest = delivery.digest
        stored.attemptCount = delivery.attemptCount
        stored.failingSince = delivery.failingSince
        stored.nextAttemptAt = delivery.nextAttemptAt
        stored.failure = delivery.failure
        state.outbox[delivery.id] = stored
      }
    }
  }

  package func setDeliveryTimes(_ times: [Int64: Timestamp?]) throws(StoreError) {
    try with { state in
      for (id, time) in times {
        guard let stored = state.outbox[id], stored.state == .pending, stored.digest == nil,
          stored.attemptCount == 0, stored.failure == nil
        else { continue }
        state.outbox[id]?.nextAttemptAt = time
      }
    }
  }

  package func removeDeliveries(_ ids: [Int64]) throws(StoreError) {
    try with { state in for id in ids { state.outbox[id] = nil } }
  }

  package func setPace(_ pace: [UInt8]?, of hook: String) throws(StoreError) {
    try with { $0.paces[hook] = pace }
  }

  package func notifyStale(
    _ delivery: NewDelivery, what: StaleRule.What, since: Timestamp
  ) throws(StoreError) -> Bool {
    try with { state in
      let name = "\(what.rawValue) \(delivery.hook) \(delivery.job)"
      if state.staleMarks[name] == since { return false }
      state.staleMarks[name] = since
      state.add(delivery, firstSequence: 0)
      return true
    }
  }

  package func firstSeen(
    _ jobs: [String], now: Timestamp
  ) throws(StoreError) -> [String: Timestamp] {
    try with { state in
      var seen: [String: Timestamp] = [:]
      for job in jobs {
        let time = state.firstSeen[ExactText(job)] ?? now
        state.firstSeen[ExactText(job)] = time
        seen[job] = time
      }
      return seen
    }
  }

  package func configs() throws(StoreError) -> StoreConfigs { try with { $0.configs } }

  package func setConfigs(_ configs: StoreConfigs) throws(StoreError) {
    try with { $0.configs = configs }
  }

  package func setWaits(_ waits: [ExactText: Timestamp]) throws(StoreError) {
    try with { $0.waits = waits }
  }
}

// MARK: Grants

extension MemoryStore {
  package func grant(of job: String, plugin: String) throws(StoreError) -> PinnedGrant? {
    try with { $0.jobs[ExactText(job)]?.grant(plugin) }
  }

  package func grants(of job: String) throws(StoreError) -> [PinnedGrant] {
    try with { $0.jobs[ExactText(job)]?.grants ?? [] }
  }

  package func grant(ofHook hook: String, plugin: String) throws(StoreError) -> PinnedGrant? {
    try with { state in
      guard let grant = state.hookGrants[hook] else { return nil }
      if ExactText(grant.plugin) == ExactText(plugin) { return grant }
      return GrantName.grant(of: plugin, among: [grant]) ?? grant
    }
  }

  package func keep(
    _ grant: PinnedGrant, of job: String, manifestName: String
  ) throws(StoreError) {
    try with { $0.change(job, plugin: manifestName) { $0.keep(grant) } }
  }

  package func keep(_ grant: PinnedGrant, ofHook hook: String) throws(StoreError) {
    try with { $0.hookGrants[hook] = grant.underItsName }
  }
}

// MARK: Upkeep

extension MemoryStore {
  package func reset(job name: String) throws(StoreError) -> Bool {
    try with { state in
      guard var job = state.jobs[ExactText(name)] else { return false }
      job.items = [:]
      job.state = nil
      job.validators = [:]
      job.firstResultAt = nil
      job.byteCount = 0
      state.jobs[ExactText(name)] = job
      state.changes = state.changes.filter { ExactText($0.value.item.job) != ExactText(name) }
      state.transfers = state.transfers.filter { ExactText($0.value.job) != ExactText(name) }
      state.kept.removeAll { ExactText($0.row.job) == ExactText(name) }
      return true
    }
  }

  package func prune(_ retention: Retention, now: Timestamp) throws(StoreError) -> Int {
    try with { _ in 0 }
  }

  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) throws(StoreError) -> RetentionProgress {
    try with { state in
      if let retention { state.retention = retention }
      return .rests(until: now + .seconds(86_400))
    }
  }

  package func retention() throws(StoreError) -> Retention { try with { $0.retention } }

  package func setLimits(_ retention: Retention) throws(StoreError) { try with { _ in } }

  package func compact() throws(StoreError) { try with { _ in } }

  package func close() throws(StoreError) {
    _ = try with { $0.isClosed = true }
  }
}
