package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

/// The store, opened to be written: holds the right to write for as long as it lives.
///
/// Safe to be used by any number of runs at the same time. What a returned call has stored is on
/// the disk; what threw has stored nothing.
package final class SQLiteStore: Sendable {
  /// Reads what was committed before the call, until the store is closed; waits its turn with the
  /// runs'.
  package let reader: StoreReader
  /// Jobs with a run that an earlier process left unfinished, now recorded as `abandoned`. They are
  /// named each time the store is opened, until `SchedulerMemory.rescued` names them.
  package var abandonedJobs: [String] { recovery.abandonedJobs }
  /// The work that was put right when the store was opened.
  let recovery: StoreRecovery
  private let lock: StoreLock
  let queue: WriteQueue
  private let openRuns = OpenRuns()
  private let shareMax: Atomic<Int64>

  /// The highest id of a transfer that was given; nil until one is asked for.
  private let lastTransferID = Mutex<Int64?>(nil)

  init(
    reader: StoreReader, lock: StoreLock, queue: WriteQueue, recovery: StoreRecovery,
    jobBytesMax: Int64
  ) {
    shareMax = Atomic(jobBytesMax)
    self.reader = reader
    self.recovery = recovery
    self.lock = lock
    self.queue = queue
  }

  /// The connection first, then the lock: nobody else may write before this one has ended.
  deinit { try? queue.close() }

  package var path: String { reader.path }

  // MARK: Runs

  /// Begins a run of that job: takes the job's lease and reads what the run needs.
  ///
  /// The lease ends with the commit of `.end`, or with `abandon`. Throws `jobRunning` while
  /// another run has it, and `full` where the disk has no room for what it will bring. A job that
  /// the store does not know is made by its first commit.
  ///
  /// - Parameters:
  ///   - plugin: whose grant is read, by the name that the user gave it.
  ///   - noting: written down, so that whoever opens the store after a crash finds that the run had
  ///     begun. Where others are under way it waits a little for theirs, as ends of runs do.
  package func openJob(
    _ name: String, run: RunID, plugin: String? = nil, noting record: RunRecord? = nil
  ) async throws(StoreError) -> JobSnapshot {
    guard openRuns.begin(run, of: name) else {
      throw StoreError(.jobRunning, "the job '\(name)' is running already: wait for it to end")
    }
    do {
      guard let record else {
        try StoreFiles.checkRoom(path)
        return try await queue.perform(isWrite: false) {
          try $0.snapshot(ofJob: name, plugin: plugin)
        }
      }
      return try await open(name, plugin, noting: record)
    } catch {
      abandon(name, run: run)
      throw error
    }
  }

  private func open(
    _ name: String, _ plugin: String?, noting record: RunRecord
  ) async throws(StoreError) -> JobSnapshot {
    let (snapshot, number) = try await queue.perform(
      isWrite: true, siblingCount: openRuns.count
    ) { connection in
      // As it was: a job that is made here has not been there.
      (
        try connection.snapshot(ofJob: name, plugin: plugin), try connection.note(record)
      )
    }
    openRuns.setRow(number, of: record.run, of: name)
    return snapshot
  }

  /// Writes down those of the runs that are under way and have stored nothing: see `openJob`.
  package func note(_ records: [RunRecord]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { [openRuns] connection in
      for record in records where openRuns.isUnwritten(record.run, of: record.job) {
        let number = try connection.note(record)
        // Not when it is on the disk: the run may store something in the same transaction. Where that
        // is undone there is no such row, and the run will get one.
        openRuns.setRow(number, of: record.run, of: record.job)
      }
    }
  }

  /// What is known of a result's items, and of all present items where the rules need them.
  package func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) async throws(StoreError) -> KnownItems {
    if job.id == nil && !openRuns.hasRow(job.name) { return KnownItems() }
    return try await queue.perform(isWrite: false) { connection in
      guard let id = try job.id ?? connection.existingJobID(job.name) else { return KnownItems() }
      return try connection.known(result, job: id, withAllPresent: rules.complete)
    }
  }

  /// Stores a part of a run, all or nothing. Returns when it is on the disk.
  package func commit(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt {
    let (job, run) = (commit.record.job, commit.record.run)
    let siblingCount = commit.part == .end ? openRuns.count : nil
    let applied = try await queue.perform(isWrite: true, siblingCount: siblingCount) {
      [openRuns] connection in
      try connection.apply(commit, number: openRuns.rowToWrite(run, of: job))
    }
    switch commit.part {
    case .checkpoint: openRuns.setRow(applied.runNumber, of: run, of: job)
    case .end: openRuns.end(run, of: job)
    }
    return applied.receipt
  }

  /// Takes a name for the job with an identity, given by its key, before its first run.
  package func claim(
    _ job: String, identity key: String, plugin: String
  ) async throws(StoreError) {
    try await queue.perform(isWrite: true) { try $0.claim(job, identity: key, plugin: plugin) }
  }

  /// Gives the lease of a run back that stores nothing more.
  package func abandon(_ job: String, run: RunID) { openRuns.end(run, of: job) }

  // MARK: Scheduling

  package func remember(_ memory: SchedulerMemory) async throws(StoreError) {
    if memory.isEmpty { return }
    try await queue.perform(isWrite: true) { try $0.remember(memory) }
  }

  /// The job has run since, by nobody's schedule: it is none of `abandonedJobs` any more.
  package func forgetAbandoned(_ job: String) async throws(StoreError) {
    guard abandonedJobs.contains(where: { ExactText($0) == ExactText(job) }) else { return }
    var memory = SchedulerMemory()
    memory.rescued = [job]
    try await remember(memory)
  }

  // MARK: Transfers

  /// An id for a transfer to come, never given before. One that is not committed is lost.
  package func newTransferID() async throws(StoreError) -> Int64 {
    if lastTransferID.withLock({ $0 == nil }) {
      let last = try await queue.perform(isWrite: false) { try $0.lastTransferID() }
      lastTransferID.withLock { $0 = $0 ?? last }
    }
    return lastTransferID.withLock { last in
      let id = (last ?? 0) + 1
      last = id
      return id
    }
  }

  /// The transfers of a job to these paths that are still to be done.
  package func pendingTransfers(
    of job: String, to paths: [FilePath]
  ) async throws(StoreError) -> [FilePath: TransferRecord] {
    try await queue.perform(isWrite: false) { connection in
      guard let id = try connection.existingJobID(job) else { return [:] }
      var found: [FilePath: TransferRecord] = [:]
      for path in paths { found[path] = try connection.pendingTransfer(of: id, to: path) }
      return found
    }
  }

  /// As it stands, read in its turn: nobody else waits meanwhile.
  package func transfer(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    try await queue.perform(isWrite: false) { try $0.transfer(id) }
  }

  /// Writes down how a transfer stands; false when it is there no more, since another took its
  /// place.
  package func update(_ transfer: TransferRecord) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { try $0.update(transfer) }
  }

  // MARK: Deliveries

  /// Writes down how deliveries stand; those that are there no more are passed over.
  package func update(_ deliveries: [Delivery]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for delivery in deliveries { try connection.update(delivery) }
    }
  }

  /// Gives deliveries other times, by their ids; those that were tried or put into a digest since keep
  /// theirs.
  package func setDeliveryTimes(_ times: [Int64: Timestamp?]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for (id, time) in times { try connection.setTime(time, ofDelivery: id) }
    }
  }

  /// Takes deliveries out of the outbox: they were delivered, or nobody wants them.
  package func removeDeliveries(_ ids: [Int64]) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      for id in ids { try connection.removeDelivery(id) }
    }
  }

  // MARK: Grants

  /// What a job's plugin is granted from now on; a job that has never run is made, with the name
  /// in its plugin's manifest.
  package func keep(
    _ grant: PinnedGrant, of job: String, manifestName: String
  ) async throws(StoreError) {
    try await queue.perform(isWrite: true) { connection in
      try connection.keep(grant, ofJob: job, manifestName: manifestName)
    }
  }

  /// As `StoreReader.grant`, in its turn.
  package func grant(
    of job: String, plugin: String
  ) async throws(StoreError) -> PinnedGrant? {
    try await queue.perform(isWrite: false) { try $0.grant(ofJob: job, plugin: plugin) }
  }

  package func keep(_ grant: PinnedGrant, ofHook hook: String) async throws(StoreError) {
    try await queue.perform(isWrite: true) { try $0.keep(grant, ofHook: hook) }
  }

  /// As `StoreReader.grant`, in its turn.
  package func grant(
    ofHook hook: String, plugin: String
  ) async throws(StoreError) -> PinnedGrant? {
    try await queue.perform(isWrite: false) {
      try GrantRow.grant(ofHook: hook, plugin: plugin, $0.db)
    }
  }

  // MARK: Upkeep

  /// Forgets what the job knows: its items and their history, its state and its validators. Its run
  /// records stay, and its next run is its first. False when there is no such job.
  package func reset(job name: String) async throws(StoreError) -> Bool {
    try await queue.perform(isWrite: true) { try $0.reset(job: name) }
  }

  /// Applies retention to the whole store, in small steps, and returns how many rows went.
  package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int {
    var note = RetentionNote()
    note.sweep = RetentionSweep(isPressed: false)
    var count = 0
    while let sweep = note.sweep {
      note = try await queue.perform(isWrite: true) { [note] connection in
        var note = note
        try connection.step(&note, retention, now: now)
        return note
      }
      count += (note.sweep ?? note.last ?? sweep).removedCount - sweep.removedCount
    }
    return count
  }

  /// Does one small step of retention where it is due: once a day, and once an hour while the store has
  /// little room. What is due and how far it has come is remembered in the store.
  ///
  /// - Parameter retention: what a config asks for; nil: what the last one asked for.
  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) async throws(StoreError) -> RetentionProgress {
    try await queue.perform(isWrite: true) { try $0.keepUp(retention, now: now) }
  }

  /// What the items of one job may take: see `Retention.jobBytesMax`.
  package var jobBytesMax: Int64 { shareMax.load(ordering: .relaxed) }

  /// What the last config asked to keep that named this store; else what is usual.
  package func retention() async throws(StoreError) -> Retention {
    try await queue.perform(isWrite: false) { connection in
      RetentionNote(try connection.ledgerEntry(RetentionNote.ledgerName)).retention ?? Retention()
    }
  }

  /// Other limits than those it was opened with.
  package func setLimits(_ retention: Retention) async throws(StoreError) {
    let share = try await queue.perform(isWrite: false) { try $0.setLimits(retention) }
    shareMax.store(share, ordering: .relaxed)
  }

  /// Gives the room that pruning has left in the file back to the disk, where that is much. Needs as
  /// much room on the disk meanwhile as what is kept takes. Nobody else uses the store meanwhile.
  package func compact() async throws(StoreError) {
    do { try queue.compact() } catch { throw StoreError(error, path: path) }
  }

  /// Waits for what is being written, then lets go of the store. Every later call throws `closed`.
  package func close() async throws(StoreError) {
    defer { lock.release() }
    do { try queue.close() } catch { throw StoreError(error, path: path) }
  }
}
