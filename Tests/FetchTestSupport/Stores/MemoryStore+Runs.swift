package import FetchModel
package import FetchStore
package import FetchValues
import Synchronization

extension MemoryStore {
  package var jobBytesMax: Int64 { .max }

  package func recover() throws(StoreError) -> StoreRecovery { try with { $0.recovery } }

  package func openJob(
    _ name: JobName, run: RunID, plugin: String?, noting record: RunRecord?
  ) throws(StoreError) -> JobSnapshot {
    try with { state throws(StoreError) in
      guard state.leases[name] == nil else {
        throw StoreError(
          .jobRunning, "the job '\(name)' is running already: wait for the run to end")
      }
      let snapshot = state.snapshot(name, plugin)
      state.leases[name] = MemoryState.Lease(run: run)
      if let record { state.note(record) }
      return snapshot
    }
  }

  package func note(_ records: [RunRecord]) throws(StoreError) {
    try with { state in
      for record in records {
        let lease = state.leases[record.job]
        if lease?.run == record.run, lease?.isWritten == false { state.note(record) }
      }
    }
  }

  package func known(
    _ result: IdentifiedItems, of job: JobSnapshot, rules: ItemRules
  ) throws(StoreError) -> KnownItems {
    try with { state in
      var known = KnownItems()
      guard let items = state.jobs[job.name]?.items else { return known }
      if rules.complete {
        for (key, item) in items where item.known.presence == .present { known[key] = item.known }
      }
      for item in result.items {
        known[item.key] = known[item.key] ?? items[item.key]?.known
        if known[item.key]?.fingerprint == item.fingerprint { continue }
        for key in item.alternates { known[key] = known[key] ?? items[key]?.known }
      }
      return known
    }
  }

  package func commit(_ commit: RunCommit) throws(StoreError) -> CommitReceipt {
    try with { state throws(StoreError) in try state.apply(commit) }
  }

  package func abandon(_ job: JobName, run: RunID) {
    state.withLock { state in
      if state.leases[job]?.run == run { state.leases[job] = nil }
    }
  }

  package func abandon(_ record: RunRecord) {
    state.withLock { state in
      guard let lease = state.leases[record.job], lease.run == record.run else { return }
      state.leases[record.job] = nil
      var record = record
      record.nextDueAt = nil
      if let row = lease.row { state.unended.append((row, record)) }
    }
  }

  package func claim(_ job: JobName, identity key: String, plugin: PluginName) throws(StoreError) {
    try with { $0.change(job, plugin: plugin) { $0.identity = key } }
  }
}

extension MemoryState {
  func snapshot(_ name: JobName, _ plugin: String?) -> JobSnapshot {
    var snapshot = JobSnapshot(name: name)
    guard let job = jobs[name] else { return snapshot }
    snapshot.id = job.id
    snapshot.state = job.state
    snapshot.validators = job.validators
    snapshot.storedBytes = job.byteCount + (job.state?.encoded.count ?? 0)
    snapshot.firstResultAt = job.firstResultAt
    if let plugin { snapshot.grant = job.grant(plugin) }
    return snapshot
  }

  mutating func note(_ record: RunRecord) {
    change(record.job, plugin: record.plugin) { _ in }
    write(record, isRunning: true)
  }

  /// Writes the record to the run's row, or to a new row.
  private mutating func write(_ record: RunRecord, isRunning: Bool) {
    if !isRunning { lastEnded += 1 }
    let run = Run(record: record.asStored, ended: isRunning ? nil : lastEnded)
    let job = record.job
    if leases[job]?.run == record.run, let row = leases[job]?.row {
      runs[row] = run
    } else {
      runs.append(run)
      if leases[job]?.run == record.run { leases[job]?.row = runs.count - 1 }
    }
  }

  mutating func apply(_ commit: RunCommit) throws(StoreError) -> CommitReceipt {
    let record = commit.record
    for transfer in commit.transfers { try checkID(of: transfer, record) }
    let isEnd = commit.part == .end
    write(record, isRunning: !isEnd)
    for (row, record) in unended {
      lastEnded += 1
      runs[row] = Run(record: record.asStored, ended: lastEnded)
    }
    unended = []
    leases[record.job]?.isWritten = true
    var receipt = CommitReceipt()
    let first = lastSequence + 1
    receipt.byteCount = apply(commit.changes, of: record)
    if !commit.changes.changes.isEmpty { receipt.firstSequence = first }
    change(record.job, plugin: record.plugin) { job in
      if let identity = commit.identity { job.identity = identity }
      if let state = commit.state { job.state = state.isNull ? Value?.none : .some(state) }
      if let grant = commit.grant { job.keep(grant) }
      if let schedule = commit.schedule { job.remember(schedule) }
      job.validators.merge(commit.validators) { $1 }
      if isEnd, record.outcome.failure == nil, record.trigger != .transfer {
        job.firstResultAt = job.firstResultAt ?? record.startedAt
      }
    }
    shared.merge(commit.shared)
    coolDowns.merge(commit.coolDowns, uniquingKeysWith: Self.coolDown)
    for transfer in commit.transfers { queue(transfer, of: record) }
    if let told = commit.toldTransfer, transfers[told]?.state.isPending == false {
      transfers[told]?.isTold = true
    }
    for delivery in commit.deliveries { add(delivery, firstSequence: first) }
    receipt.deliveryCount = commit.deliveries.count
    if let answers = commit.kept { keep(answers, of: record) }
    if isEnd, leases[record.job]?.run == record.run {
      leases[record.job] = nil
    }
    return receipt
  }

  /// Returns the end of a cooldown that replaces a stored one: see `RunCommit.coolDowns`.
  static func coolDown(_ stored: Timestamp, _ new: Timestamp) -> Timestamp {
    stored > new + RetryAfter.delayMax ? new : max(stored, new)
  }

  private mutating func apply(_ changes: RunChanges, of record: RunRecord) -> Int {
    var byteCount = 0
    for change in changes.changes {
      let previous = jobs[record.job]?.items[change.key]?.sequence
      lastSequence += 1
      let sequence = lastSequence
      var item = StoredItem(
        change, sequence: sequence, job: record.job, seenAt: record.startedAt)
      if change.item == nil {
        let last = previous.flatMap { self.changes[$0]?.item }
        item = StoredItem(
          sequence: sequence, job: record.job, key: change.key, change: change.kind,
          title: last?.title, url: last?.url, published: last?.published,
          seenAt: record.startedAt, fieldsJSON: "{}")
      }
      byteCount += ItemChange.storedBytes(key: change.key, fields: item.fieldsJSON.utf8.count)
      self.changes[sequence] = Change(item: item, previous: previous)
      let known = KnownItem(
        fingerprint: change.fingerprint,
        presence: change.kind == .removed ? .removed : .present, lastSeenAt: record.startedAt)
      self.change(record.job, plugin: record.plugin) { job in
        job.items[change.key] = Item(known: known, sequence: sequence)
      }
    }
    self.change(record.job, plugin: record.plugin) { job in
      job.byteCount += byteCount
      for key in changes.seen { job.items[key]?.known.lastSeenAt = record.startedAt }
    }
    return byteCount
  }

  /// Throws `rejected` if another transfer has the id. The job's pending transfer to the same path
  /// may have it, because it is replaced.
  private func checkID(
    of transfer: QueuedTransfer, _ record: RunRecord
  ) throws(StoreError) {
    guard let other = transfers[transfer.id] else { return }
    let isReplaced =
      other.state.isPending && other.job == record.job
      && other.request.to == transfer.request.to
    if !isReplaced {
      throw StoreError(.rejected, "the id \(transfer.id) of a transfer is in use")
    }
  }

  private mutating func queue(_ transfer: QueuedTransfer, of record: RunRecord) {
    for (id, other) in transfers
    where other.state.isPending && other.job == record.job
      && other.request.to == transfer.request.to
    {
      transfers[id] = nil
    }
    var queued = TransferRecord(
      id: transfer.id, job: record.job, request: transfer.request, createdAt: record.startedAt)
    queued.download.totalBytes = transfer.request.size
    transfers[transfer.id] = queued
    lastTransferID = max(lastTransferID, transfer.id)
  }

  mutating func add(_ new: NewDelivery, firstSequence: Int64) {
    lastDeliveryID += 1
    var delivery = Delivery(
      id: lastDeliveryID, hook: new.hook, job: new.job, event: new.event,
      payload: new.payload.text(firstSequence: firstSequence), key: new.key,
      createdAt: new.createdAt)
    delivery.run = new.run
    delivery.nextAttemptAt = new.notBefore
    outbox[lastDeliveryID] = delivery
  }

  private mutating func keep(_ answers: KeptAnswers, of record: RunRecord) {
    guard answers.countMax > 0, answers.content.count <= KeptAnswers.bytesMax else { return }
    let isAnswerless = answers.isAnswerless
    let row = KeptRunRow(
      run: record.run, job: record.job, startedAt: record.startedAt, bytes: answers.content.count)
    kept.removeAll { $0.row.run == record.run }
    kept.append(KeptRun(row: row, content: answers.content, isAnswerless: isAnswerless))
    keepNewest(isAnswerless ? 1 : answers.countMax) {
      $0.row.job == record.job && $0.isAnswerless == isAnswerless
    }
    keepNewest(KeptAnswers.answerlessRunCountMax, where: \.isAnswerless)
    keepNewest(KeptAnswers.runCountMax) { _ in true }
    var byteCount = kept.reduce(0) { $0 + $1.row.bytes }
    while byteCount > KeptAnswers.bytesMax { byteCount -= kept.removeFirst().row.bytes }
  }

  /// Removes the kept answers that meet a condition, except for the newest `count` of them.
  private mutating func keepNewest(_ count: Int, where isMeant: (KeptRun) -> Bool) {
    let older = kept.indices.filter { isMeant(kept[$0]) }.dropLast(count)
    for index in older.reversed() { kept.remove(at: index) }
  }
}

extension MemoryState.Job {
  func grant(_ plugin: String) -> PinnedGrant? {
    grants.first { ExactText($0.plugin) == ExactText(plugin) }
      ?? GrantName.grant(of: plugin, among: grants)
  }

  mutating func keep(_ grant: PinnedGrant) {
    grants.removeAll { ExactText($0.plugin) == ExactText(grant.plugin) }
    grants.append(grant.underItsName)
    grants.sort { ($1.grantedAt, $0.plugin) < ($0.grantedAt, $1.plugin) }
  }

  mutating func remember(_ new: StoredSchedule) {
    schedule = StoredSchedule(new.content, learned: new.learned ?? schedule?.learned)
  }
}

extension RunRecord {
  /// The record in the form in which a reader of the store finds it.
  fileprivate var asStored: RunRecord {
    var record = self
    record.note = nil
    record.duration = .milliseconds(duration.wholeMilliseconds)
    record.cpu = .microseconds(cpu.wholeMicroseconds)
    if outcome.failure == nil { record.checkpointed = ChangeCounts() }
    return record
  }
}
