package import FetchModel
package import FetchStore
package import FetchValues

/// The functions of the protocol `Store` that read through `reader` or need no connection. Those
/// that read block and do not suspend. Reads and writes use the writing connection one after the
/// other.
extension SQLiteStore: Store {
  package var address: StoreAddress { .file(path) }

  package func check() throws(StoreError) -> [String] { try reader.check() }

  package func facts() throws(StoreError) -> StoreFacts { try reader.facts() }

  /// Returns the repairs that were made when the store was opened. No later repairs are needed,
  /// since only this process writes the store.
  package func recover() -> StoreRecovery { recovery }
}

// MARK: HistoryStore

extension SQLiteStore {
  package func items(
    _ query: ItemQuery, after mark: PageMark?
  ) throws(StoreError) -> Page<StoredItem> { try reader.items(query, after: mark) }

  package func lastSequence() throws(StoreError) -> Int64 { try reader.lastSequence() }

  package func newsCount(of job: JobName, max: Int) throws(StoreError) -> Int {
    try reader.newsCount(of: job, max: max)
  }

  package func versions(job: JobName, key: ItemKey) throws(StoreError) -> [StoredItem] {
    try reader.versions(job: job, key: key)
  }

  package func lastVersions(
    job: JobName, keys: [ItemKey]
  ) throws(StoreError) -> [ItemKey: LastVersion] { try reader.lastVersions(job: job, keys: keys) }

  package func runs(job: JobName?, limit: Int?) throws(StoreError) -> [RunRecord] {
    try reader.runs(job: job, limit: limit)
  }

  package func run(named name: String) throws(StoreError) -> RunRecord? {
    try reader.run(named: name)
  }

  package func keptRuns() throws(StoreError) -> [KeptRunRow] { try reader.keptRuns() }

  package func keptAnswers(of run: RunID) throws(StoreError) -> [UInt8]? {
    try reader.keptAnswers(of: run)
  }

  package func jobs() throws(StoreError) -> [JobStatus] { try reader.jobs() }

  package func hasJob(_ name: JobName) throws(StoreError) -> Bool { try reader.hasJob(name) }

  package func job(identity key: String) throws(StoreError) -> JobName? {
    try reader.job(identity: key)
  }

  package func hasResult(of job: JobName) throws(StoreError) -> Bool {
    try reader.hasResult(of: job)
  }

  package func addresses(of job: JobName) throws(StoreError) -> [String] {
    try reader.addresses(of: job)
  }
}

// MARK: BoundedHistory

extension SQLiteStore {
  package func change(_ sequence: Int64) throws(StoreError) -> StoredItem? {
    try reader.change(sequence)
  }

  package func changes(_ query: ChangeQuery) throws(StoreError) -> ChangePage {
    try reader.changes(query)
  }

  package func lastChange(
    of job: JobName?, after sequence: Int64
  ) throws(StoreError) -> LastChange { try reader.lastChange(of: job, after: sequence) }

  package func dataVersion() throws(StoreError) -> Int64 { try reader.dataVersion() }

  package func sums() throws(StoreError) -> StoreSums { try reader.sums() }

  package func lastEnded() throws(StoreError) -> Int64 { try reader.lastEnded() }

  package func endedRuns(after ended: Int64, limit: Int) throws(StoreError) -> EndedRuns {
    try reader.endedRuns(after: ended, limit: limit)
  }

  package func runs(
    _ query: RunQuery, after mark: PageMark?
  ) throws(StoreError) -> Page<RunRecord> { try reader.runs(query, after: mark) }

  package func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) throws(StoreError) -> [JobMarks] { try reader.runMarks(of: jobs, from: start, until: end) }

  package func runCounts(
    from start: Timestamp, until end: Timestamp
  ) throws(StoreError) -> RunCounts { try reader.runCounts(from: start, until: end) }
}

// MARK: ScheduleReading

extension SQLiteStore {
  package func schedules(after mark: PageMark?) throws(StoreError) -> Page<JobMemory> {
    try reader.schedules(after: mark)
  }

  package func schedules(of jobs: [JobName]) throws(StoreError) -> [JobMemory] {
    try reader.schedules(of: jobs)
  }

  package func sharedMemory() throws(StoreError) -> SharedMemory { try reader.sharedMemory() }

  package func coolDowns(after now: Timestamp) throws(StoreError) -> [ExactText: Timestamp] {
    try reader.coolDowns(after: now)
  }

  package func skips(job: JobName?, limit: Int) throws(StoreError) -> [SkipRecord] {
    try reader.skips(job: job, limit: limit)
  }

  package func abandoned() throws(StoreError) -> [JobName] { try reader.abandonedJobs() }
}

// MARK: TransferReading, OutboxReading, GrantReading

extension SQLiteStore {
  package func transfers(
    job: JobName?, endedLimit: Int?
  ) throws(StoreError) -> [TransferRecord] {
    try reader.transfers(job: job, endedLimit: endedLimit)
  }

  package func openTransfers(
    after id: Int64, limit: Int?
  ) throws(StoreError) -> [TransferRecord] { try reader.openTransfers(after: id, limit: limit) }

  package func openTransferIDs() throws(StoreError) -> [Int64] { try reader.openTransferIDs() }

  package func hasOpenTransfers(of job: JobName) throws(StoreError) -> Bool {
    try reader.hasOpenTransfers(of: job)
  }

  package func pendingDeliveries(after id: Int64) throws(StoreError) -> [Delivery] {
    try reader.pendingDeliveries(after: id)
  }

  package func deliveries(_ ids: [Int64]) throws(StoreError) -> [Delivery] {
    try reader.deliveries(ids)
  }

  package func listedDeliveries(
    onlyDead: Bool, hook: HookName?
  ) throws(StoreError) -> [Delivery] {
    try reader.listedDeliveries(onlyDead: onlyDead, hook: hook)
  }

  package func deliveryCounts() throws(StoreError) -> (pending: Int, dead: Int) {
    try reader.deliveryCounts()
  }

  package func paces(of hooks: Set<HookName>) throws(StoreError) -> [HookName: [UInt8]] {
    try reader.paces(of: hooks)
  }

  package func waits() throws(StoreError) -> [JobName: Timestamp] { try reader.waits() }

  package func configs() throws(StoreError) -> StoreConfigs { try reader.configs() }

  package func grants(of job: JobName) throws(StoreError) -> [PinnedGrant] {
    try reader.grants(of: job)
  }
}

extension StoreReader: ReadableStore {
  package var address: StoreAddress { .file(path) }

  package func abandoned() throws(StoreError) -> [JobName] { try abandonedJobs() }
}
