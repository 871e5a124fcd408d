import FetchHost
import FetchModel
import FetchStore
import FetchValues

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
      return state.failedReadCount == 0
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
    // A failed transfer that is retried during the read enters the queue, but was not open before.
    let known = withState { $0.queue.ids }
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
    await dropAll(known, except: Set(ids))
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
  /// store. Returns nil if there is no record. If the store cannot be read, forgets the transfer
  /// until it is read again (see `refused`), and returns nil.
  func record(of id: Int64) async -> TransferRecord? {
    if let known = known(id) { return known }
    do throws(StoreError) { return try await store.transfer(id) } catch {
      refused(id, error)
      return nil
    }
  }

  /// Returns the record of a transfer that begins; nil if there is none. If the transfers begin in
  /// the order of their requests, reads the records of the next ones too.
  func recordToBegin(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    let (known, mustRead) = withState { state in
      let known = state.machines[id]?.record ?? state.nextRecords.take(id)
      return (known, known == nil && state.nextRecords.beginReading(id))
    }
    if let known { return known }
    if mustRead {
      let records = try? await store.openTransfers(after: id - 1, limit: NextTransfers.countMax)
      let found = withState { $0.nextRecords.endReading(records ?? [], id) }
      if let found { return found }
    }
    return try await store.transfer(id)
  }

  /// Drops the transfers that were known before a read and are still pending, except the ones with
  /// the given ids, which are still in the store.
  private func dropAll(_ known: [Int64], except ids: Set<Int64>) async {
    let gone = withState { state in
      known.filter { !ids.contains($0) }.compactMap { id in
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

  func goneFailure(_ job: JobName) -> Failure {
    Failure(
      .permission,
      "the job '\(job)' is not in the config, so nothing may be fetched for the job; add the job, "
        + "then type `\(setup.pipeline.services.suggested.command("transfers retry ID"))`")
  }
}

extension TransferService.State {
  /// Whether the service has the transfer in memory, or has removed it since the last read of the
  /// store began.
  fileprivate func isKnown(_ id: Int64) -> Bool {
    isInMemory(id) || attempts[id] != nil || eventCounts[id] != nil || forgotten.contains(id)
  }

  private func isInMemory(_ id: Int64) -> Bool {
    machines[id] != nil || queue.contains(id) || unreported[id] != nil
  }

  /// Ends an event of a transfer, and updates the queue after the last one.
  mutating func endEvent(_ id: Int64) {
    let left = eventCounts[id, default: 1] - 1
    eventCounts[id] = left == 0 ? nil : left
    TransferService.settle(id, &self)
    // The queue and the reads of the store have left out the transfer because of the event. If the
    // event has not changed it, only a read finds it again.
    if left == 0, !isInMemory(id), !forgotten.contains(id) { isStale = true }
  }

  fileprivate func isReadDue(_ now: Timestamp) -> Bool { readAgainAt.map { $0 <= now } ?? false }

  fileprivate mutating func readFailed(now: Timestamp) {
    failedReadCount += 1
    readAgainAt = now + Backoff.storeRead.longest(failures: failedReadCount)
  }

  /// Plans a read of the store, unless one is planned. A full disk refuses changes but can be read,
  /// so these errors are counted separately.
  mutating func changeRefused(now: Timestamp) {
    guard readAgainAt == nil else { return }
    refusedChangeCount += 1
    readAgainAt = now + Backoff.storeRead.longest(failures: refusedChangeCount)
  }

  /// Adds the transfer to the queue, and to `offline` if it waits for the network.
  mutating func enter(_ record: TransferRecord) {
    queue.set(record, hostname: TransferService.hostname(of: record))
    let isOffline = record.state == .waiting && record.failure?.code == .offline
    if isOffline { offline.insert(record.id) } else { offline.remove(record.id) }
  }
}
