package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchValues

/// The queries by which people and programs read a store. No query needs a daemon or the right to
/// write to the store.
///
/// Most queries about one job throw `unknownJob` if they find nothing and the store does not have
/// the job.
///
/// The functions `items` and `versions` note reads in the store's `ReadLog`. Adaptive jobs learn
/// from this log at what times people read.
package struct StoreQueries: Sendable {
  let reader: any ReadableStore
  private let now: @Sendable () -> Timestamp

  package init(
    _ reader: any ReadableStore, now: @escaping @Sendable () -> Timestamp = RunTime.system.now
  ) {
    self.reader = reader
    self.now = now
  }

  /// Opens the store at an address for reading. Throws `missing` if there is no store.
  package init(at store: StoreAddress) async throws(StoreError) {
    self.init(try await StoreOpener.read(store))
  }

  // MARK: Items

  /// Returns a page of items, in the order of the query: see `HistoryStore.items`.
  ///
  /// A query for the first page counts as a read by a person, unless it has `ItemQuery.since`.
  /// Programs use `since` to continue reading.
  package func items(
    _ query: ItemQuery, after mark: PageMark?
  ) async throws(StoreError) -> Page<StoredItem> {
    let page = try await reader.items(query, after: mark)
    if mark != nil { return page }
    if page.elements.isEmpty, let job = query.job { try await checkIsStored(job) }
    if query.since == nil { noteRead(of: query.job) }
    return page
  }

  /// Returns the kept versions of an item, newest first. The list is empty if the job does not have
  /// the item. The query counts as a read by a person.
  package func versions(job: JobName, id: String) async throws(StoreError) -> [StoredItem] {
    let versions = try await reader.versions(job: job, key: ItemKey(id))
    if versions.isEmpty { try await checkIsStored(job) }
    noteRead(of: job)
    return versions
  }

  private func noteRead(of job: JobName?) {
    ReadLog(StateFolder(of: reader.address)).note(job, at: now())
  }

  // MARK: Jobs and runs

  /// Returns the ended runs of a job, or of all jobs, newest first.
  ///
  /// - Parameter limit: the maximum number of runs; nil for all runs.
  package func runs(job: JobName?, limit: Int?) async throws(StoreError) -> [RunRecord] {
    let records = try await reader.runs(job: job, limit: limit)
    if records.isEmpty, let job { try await checkIsStored(job) }
    return records
  }

  /// Returns the store's data about a job.
  package func job(_ name: JobName) async throws(StoreError) -> JobStatus {
    let jobs = try await reader.jobs()
    if let status = jobs.first(where: { $0.name == name }) { return status }
    throw .unknownJob(name, among: jobs.map(\.name))
  }

  // MARK: Transfers and deliveries

  /// Returns the pending transfers, then the ended transfers: see `TransferReading.transfers`.
  package func transfers(
    job: JobName?, endedLimit: Int?
  ) async throws(StoreError) -> [TransferRecord] {
    try await reader.transfers(job: job, endedLimit: endedLimit)
  }

  /// Returns the deliveries of one hook, or of all hooks. A waiting delivery has the reason why it
  /// waits, if the reason is known.
  ///
  /// - Parameters:
  ///   - onlyDead: whether to return only the deliveries that were given up.
  ///   - hooks: returns the hooks of the store's config; nil if the hooks are unknown. Not called
  ///     if there are no deliveries.
  package func deliveries(
    onlyDead: Bool, hook: HookName?, hooks: () -> [HookConfig]?
  ) async throws(StoreError) -> [Delivery] {
    let listed = try await reader.showingConfigs(
      reader.listedDeliveries(onlyDead: onlyDead, hook: hook))
    if listed.isEmpty { return [] }
    let now = now()
    let paces = try await reader.paces(of: Set(listed.map(\.hook)))
    let hooks = hooks()
    let rates = hooks.map(HookRates.init) ?? .unknown
    return listed.showingDigests(of: hooks ?? [])
      .showingRates(rates.openings(of: paces, now: now), now: now).showingOrder(now: now)
  }

  /// Returns the numbers of waiting deliveries and of deliveries that were given up.
  package func deliveryCounts() async throws(StoreError) -> (pending: Int, dead: Int) {
    try await reader.deliveryCounts()
  }
}

extension StoreError {
  /// Returns the error for a job that the store does not have.
  package static func unknownJob(_ name: JobName, among names: [JobName] = []) -> StoreError {
    StoreError(
      .unknownJob, "the store has no job '\(name)'\(NearestName.hint(name, among: names))")
  }
}

/// The queries that a server uses. Each query returns a limited amount of data: see
/// `BoundedHistory`.
extension StoreQueries {
  /// Returns the change with the given sequence number; nil if there is none.
  package func change(_ sequence: Int64) async throws(StoreError) -> StoredItem? {
    try await reader.change(sequence)
  }

  /// Returns the next changes after a sequence number, oldest first. The query does not count as a
  /// read by a person.
  package func changes(_ query: ChangeQuery) async throws(StoreError) -> ChangePage {
    let page = try await reader.changes(query)
    if page.changes.isEmpty, let job = query.job { try await checkIsStored(job) }
    return page
  }

  /// Returns a page of ended runs, newest first.
  package func runs(
    _ query: RunQuery, after mark: PageMark?
  ) async throws(StoreError) -> Page<RunRecord> {
    let page = try await reader.runs(query, after: mark)
    if page.elements.isEmpty, let job = query.job { try await checkIsStored(job) }
    return page
  }

  /// Returns the run with the given name. The name is the run's id, a unique beginning of the id,
  /// or the name of a job. The name of a job means the job's last run. Returns nil if there is no
  /// such run.
  package func run(named name: String) async throws(StoreError) -> RunRecord? {
    try await reader.run(named: name)
  }

  /// Returns the sequence number of the last change, and the number of the last ended run: see
  /// `BoundedHistory.lastEnded`.
  package func lastNumbers() async throws(StoreError) -> (sequence: Int64, ended: Int64) {
    // The number of the last ended run is read first. A run's changes are stored no later than its
    // end, so the result never lacks the changes of the last ended run.
    let ended = try await reader.lastEnded()
    return (try await reader.lastSequence(), ended)
  }

  /// Returns the next ended runs after the run with the given number, oldest first. `lastNumbers`
  /// returns such a number.
  package func endedRuns(
    after ended: Int64, limit: Int = PageMark.countMax
  ) async throws(StoreError) -> EndedRuns { try await reader.endedRuns(after: ended, limit: limit) }

  /// Returns the ended runs that began in a period, for the given jobs or for all jobs. The number
  /// of runs is limited: see `BoundedHistory.runMarks`.
  package func runMarks(
    of jobs: [JobName]?, from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> [JobMarks] {
    try await reader.runMarks(of: jobs, from: start, until: end)
  }

  /// Returns the counts of the ended runs that began in a period, for each interval of five
  /// minutes.
  package func runCounts(
    from start: Timestamp, until end: Timestamp
  ) async throws(StoreError) -> RunCounts { try await reader.runCounts(from: start, until: end) }

  /// Throws `unknownJob` if the store does not have the job. Only the message about an unknown job
  /// needs a read of all jobs, which takes long in a large store.
  private func checkIsStored(_ job: JobName) async throws(StoreError) {
    if try await !reader.hasJob(job) { _ = try await self.job(job) }
  }
}

/// The queries for grants of jobs and hooks.
extension StoreQueries {
  /// Returns the grants of all plugins of a job, newest first.
  package func grants(of job: JobName) async throws(StoreError) -> [PinnedGrant] {
    try await reader.grants(of: job)
  }

  /// Returns the grant that `GrantReading` selects for a job's or a hook's file; nil if there is
  /// none.
  package func grant(of claimant: GrantClaimant) async throws(StoreError) -> PinnedGrant? {
    let plugin = claimant.job.plugin.name
    switch claimant.holder {
    case .job(let name): return try await reader.grant(of: name, plugin: plugin)
    case .hook(let name): return try await reader.grant(ofHook: name, plugin: plugin)
    }
  }
}

extension StoreQueries {
  /// Returns the overview for a store that no daemon serves. The overview covers only jobs with a
  /// stored schedule.
  ///
  /// - Parameter disabled: the jobs that the config disables, as far as they are known.
  package func overview(disabled: Set<JobName> = []) async throws(StoreError) -> OverviewLine {
    try await OverviewLine(of: reader, disabled: disabled)
  }
}

extension OverviewLine {
  /// Creates the overview from the stored schedules. Jobs without a stored schedule are not
  /// counted. Jobs that the config no longer contains are counted.
  ///
  /// - Parameter disabled: the jobs that count as disabled, and not as broken or due.
  init(
    of store: any ReadableStore, disabled: Set<JobName> = []
  ) async throws(StoreError) {
    self.init(isServed: false)
    for memory in try await store.allSchedules() {
      guard let facts = memory.schedule.facts else { continue }
      if disabled.contains(memory.job) {
        jobs[.disabled, default: 0] += 1
        continue
      }
      let state: JobState =
        facts.pausedAt != nil
        ? .paused : facts.dueAt == nil ? .idle : facts.failureCount > 0 ? .backOff : .scheduled
      jobs[state, default: 0] += 1
      if facts.failureCount >= Scheduler.brokenAfter { broken += 1 }
      if facts.pausedAt == nil, let dueAt = facts.dueAt {
        nextDueAt = min(nextDueAt ?? dueAt, dueAt)
      }
    }
    if case .since(let time) = try await store.sharedMemory().pause { pausedSince = time }
    (pendingDeliveries, deadDeliveries) = try await store.deliveryCounts()
  }
}
