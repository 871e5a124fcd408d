import FetchHost
import FetchModel
import FetchStore
import FetchValues

// MARK: Reading

extension TransferService {
  /// Applies the changes that were reported: changes of the store, of jobs, and of the network. If
  /// the store cannot be read, plans the next read and reports the first error. The first read that
  /// succeeds applies all changes.
  func readChanges() async {
    let now = now()
    let (isStale, isRechecking) = withState { state in
      defer { (state.isStale, state.isRechecking) = (false, false) }
      let isStale = state.isStale || state.isReadDue(now)
      if isStale {
        state.forgotten = []
        state.nextRecords.dropAll()
      }
      return (isStale, state.isRechecking)
    }
    if isStale {
      do throws(StoreError) { try await readStore() } catch { return readFailed(error) }
      withState { ($0.failedReadCount, $0.readAgainAt) = (0, nil) }
    }
    if isStale || isRechecking {
      await refuseGone()
      stopHeld()
      await tellAll()
    }
    await retryOffline()
  }

  private func readFailed(_ error: StoreError) {
    let now = now()
    let isFirst = withState { state in
      defer { state.readFailed(now: now) }
      return state.readAgainAt == nil
    }
    if isFirst { setup.events.emit(.storeRefused(.transfers, error)) }
  }

  private func stopHeld() {
    let held = withState { state in
      state.attempts.filter { id, _ in
        guard let job = state.machines[id]?.record.job else { return false }
        if case .held = setup.standing(job) { return true }
        return false
      }.map(\.value)
    }
    for task in held { task.cancel() }
  }

  private func retryOffline() async {
    let offline = withState { state -> [Int64] in
      guard state.isNetworkBack else { return [] }
      state.isNetworkBack = false
      return state.offline.sorted()
    }
    await apply(.retry, toEach: offline)
  }

  /// The maximum number of records that are read from the store at a time, to save memory.
  private static let pageCount = 500

  private func readStore() async throws(StoreError) {
    let ids = try await store.openTransferIDs()
    let unknown = withState { state in ids.filter { !state.isKnown($0) } }
    if let first = unknown.first {
      var last = first - 1
      while true {
        let page = try await store.openTransfers(after: last, limit: Self.pageCount)
        takeNew(page)
        guard let end = page.last, page.count == Self.pageCount else { break }
        last = end.id
      }
    }
    await dropAll(except: Set(ids))
  }

  private func takeNew(_ records: [TransferRecord]) {
    withState { state in
      for record in records where !state.isKnown(record.id) {
        if record.state.isPending {
          state.enter(record)
        } else {
          state.unreported[record.id] = record.job
        }
      }
    }
  }

  static func hostname(of record: TransferRecord) -> String {
    (try? TargetURL.server(of: record.request.url))?.hostname ?? ""
  }

  /// Returns the record of a transfer that is active in this service; nil for all other transfers.
  func known(_ id: Int64) -> TransferRecord? { withState { $0.machines[id]?.record } }

  /// Returns the record of an active transfer from memory, and of any other transfer from the
  /// store. Returns nil if there is no record or the store cannot be read.
  func record(of id: Int64) async -> TransferRecord? {
    if let known = known(id) { return known }
    do throws(StoreError) { return try await store.transfer(id) } catch {
      setup.events.emit(.storeRefused(.transfers, error))
      return nil
    }
  }

  /// Returns the record of a transfer that begins; see `record`. If the transfers begin in the order
  /// of their requests, reads the records of the next ones too.
  func recordToBegin(_ id: Int64) async -> TransferRecord? {
    let (known, mustRead) = withState { state in
      let known = state.machines[id]?.record ?? state.nextRecords.take(id)
      return (known, known == nil && state.nextRecords.beginReading(id))
    }
    if let known { return known }
    guard mustRead else { return await record(of: id) }
    let records = try? await store.openTransfers(after: id - 1, limit: NextTransfers.countMax)
    let found = withState { $0.nextRecords.endReading(records ?? [], id) }
    if let found { return found }
    return await record(of: id)
  }

  /// Drops all pending transfers except the transfers with the given ids, which are still in the
  /// store.
  private func dropAll(except ids: Set<Int64>) async {
    let gone = withState { state in
      state.queue.ids.filter { !ids.contains($0) }.compactMap { id in
        state.queue.job(of: id).map { (id, $0) }
      }
    }
    for (id, job) in gone { await drop(id, of: job) }
  }

  private func refuseGone() async {
    for job in withState({ $0.queue.jobs }) {
      guard case .gone = setup.standing(job) else { continue }
      await apply(
        .refused(goneFailure(job)), toEach: withState { $0.queue.ids(of: job) })
    }
  }

  private func goneFailure(_ job: JobName) -> Failure {
    Failure(
      .permission,
      "the job '\(job)' is not in the config, so nothing may be fetched for the job; add the job, "
        + "then type `\(setup.pipeline.services.suggested.command("transfers retry ID"))`")
  }
}

// MARK: Writing

extension TransferService {
  /// Applies an event to a transfer and carries out the actions that follow. To revive an ended
  /// transfer, pass its record as `reviving`.
  func apply(
    _ event: TransferEvent, to id: Int64, reviving ended: TransferRecord? = nil
  ) async {
    let now = now()
    // Only the delay after a failure depends on chance.
    var chance = 0.0
    if case .failed = event {
      chance = Double(setup.pipeline.services.time.random() >> 11) * 0x1p-53
    }
    var known = ended
    if known == nil { known = await record(of: id) }
    guard let known else { return }
    let isHeard = isHeard(known.job)
    let (actions, record) = withState { state -> ([TransferAction], TransferRecord?) in
      state.happeningCount += 1
      if ended != nil { state.forgotten.remove(id) }
      if state.machines[id] == nil, !state.forgotten.contains(id) {
        state.machines[id] = TransferMachine(known)
      }
      let actions =
        state.machines[id]?.handle(event, now: now, chance: chance, isHeard: isHeard) ?? []
      return (actions, state.machines[id]?.record)
    }
    defer {
      withState { $0.happeningCount -= 1 }
      poke()
    }
    guard let record else { return }
    for action in actions { guard await perform(action, record) else { return } }
    withState { state in
      if !actions.isEmpty, !record.state.isPending { state.ended.append(record) }
      Self.settle(id, &state)
    }
  }

  /// The maximum number of events that are applied at the same time. One commit can store all of
  /// them. Thousands of single commits would delay other writes.
  private static let togetherMax = 64

  private func apply(_ event: TransferEvent, toEach ids: [Int64]) async {
    for start in stride(from: 0, to: ids.count, by: Self.togetherMax) {
      await withTaskGroup { group in
        for id in ids[start...].prefix(Self.togetherMax) {
          group.addTask { await self.apply(event, to: id) }
        }
      }
    }
  }

  /// Carries out an action. Returns false if the store reported an error; the caller then skips the
  /// following actions.
  private func perform(_ action: TransferAction, _ record: TransferRecord) async -> Bool {
    switch action {
    case .store: return await keep(record)
    case .fetch: break
    case .stop:
      let attempt = withState { $0.attempts[record.id] }
      attempt?.cancel()
      await attempt?.value
    case .discard: await discard(record.id, of: record.job)
    case .tell:
      withState { $0.unreported[record.id] = record.job }
      await tellAll()
    }
    return true
  }

  /// Stores the record, or drops the transfer if it is no longer in the store. If the store reports
  /// an error, cancels the attempt, forgets the transfer and returns false.
  private func keep(_ record: TransferRecord) async -> Bool {
    do throws(StoreError) {
      let isStored = try await store.update(record)
      withState { $0.nextRecords.changed(record.id) }
      if !isStored { await drop(record.id, of: record.job) }
      return true
    } catch {
      setup.events.emit(.storeRefused(.transfer(record.id), error))
      withState { state in
        Self.forget(record.id, &state)
        state.attempts[record.id]?.cancel()
      }
      return false
    }
  }

  /// Updates the queue after a change of a transfer. A queued or waiting transfer enters the queue,
  /// unless an attempt is under way. An ended transfer leaves the queue. `stored` is the record to
  /// use if the transfer is not active in this service.
  func settle(_ id: Int64, stored: TransferRecord? = nil) {
    withState { Self.settle(id, stored: stored, &$0) }
    poke()
  }

  static func settle(_ id: Int64, stored: TransferRecord? = nil, _ state: inout State) {
    guard let record = state.machines[id]?.record ?? stored else { return }
    switch record.state {
    case .running: break
    case .queued, .waiting:
      if state.attempts[id] == nil {
        state.enter(record)
        state.machines[id] = nil
      }
    case .done, .failed:
      state.queue.remove(id)
      state.offline.remove(id)
      if record.isTold { forget(id, &state) }
    }
  }

  func forget(_ id: Int64) { withState { Self.forget(id, &$0) } }

  static func forget(_ id: Int64, _ state: inout State) {
    state.machines[id] = nil
    state.queue.remove(id)
    state.offline.remove(id)
    state.nextRecords.changed(id)
    state.forgotten.insert(id)
  }

  /// Forgets a transfer that is no longer in the store. Removes its partial file, or cancels its
  /// attempt, which then removes the file. The file stays if the job is held or no longer exists.
  private func drop(_ id: Int64, of job: JobName) async {
    let attempt = withState { state -> Task<Void, Never>? in
      Self.forget(id, &state)
      guard let attempt = state.attempts[id] else { return nil }
      state.dropped[id] = job
      return attempt
    }
    attempt?.cancel()
    if attempt == nil { await discard(id, of: job) }
  }

  // MARK: Partial files

  func discard(_ id: Int64, of job: JobName) async {
    guard case .ready(let job) = setup.standing(job) else { return }
    let files = setup.pipeline.services.files
    do throws(FileFault) {
      try await files.threads.attempt { () throws(FileFault) in
        try files.root(of: job).removePartial(id)
      }
    } catch {
      setup.events.emit(.partialFileLeft(transfer: id, reason: "\(error)"))
    }
  }
}

extension TransferService.State {
  /// Whether the service has the transfer in memory, or has removed it since the last read of the
  /// store began.
  fileprivate func isKnown(_ id: Int64) -> Bool {
    machines[id] != nil || attempts[id] != nil || queue.contains(id) || unreported[id] != nil
      || forgotten.contains(id)
  }

  fileprivate func isReadDue(_ now: Timestamp) -> Bool { readAgainAt.map { $0 <= now } ?? false }

  fileprivate mutating func readFailed(now: Timestamp) {
    failedReadCount += 1
    readAgainAt = now + Backoff.storeRead.longest(failures: failedReadCount)
  }

  /// Adds the transfer to the queue, and to `offline` if it waits for the network.
  fileprivate mutating func enter(_ record: TransferRecord) {
    queue.set(record, hostname: TransferService.hostname(of: record))
    let isOffline = record.state == .waiting && record.failure?.code == .offline
    if isOffline { offline.insert(record.id) } else { offline.remove(record.id) }
  }
}
