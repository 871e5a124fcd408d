import FetchHost
import FetchModel
import FetchStore

// MARK: Reading

extension TransferService {
  /// Takes in what the store has that is not known here, and lets go of what it has no more.
  func readChanges() async {
    let (isStale, isRechecking) = withState { state in
      defer { (state.isStale, state.isRechecking) = (false, false) }
      if state.isStale { state.forgotten = [] }
      return (state.isStale, state.isRechecking)
    }
    if isStale {
      do throws(StoreError) { try await readStore() } catch {
        return setup.events.emit(.storeRefused(.transfers, error))
      }
    }
    if isStale || isRechecking {
      await refuseGone()
      stopHeld()
      await tellAll()
    }
    await retryOffline()
  }

  /// A paused job's transfers go on when it does.
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

  /// So many records are held at once.
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
    (try? TargetURL(record.request.url))?.hostname ?? ""
  }

  /// The transfer as it stands where something happens to it here; nil for others.
  func known(_ id: Int64) -> TransferRecord? { withState { $0.machines[id]?.record } }

  /// As it stands: known here, or else as it is stored.
  func record(of id: Int64) async -> TransferRecord? {
    if let known = known(id) { return known }
    do throws(StoreError) { return try await store.transfer(id) } catch {
      setup.events.emit(.storeRefused(.transfers, error))
      return nil
    }
  }

  /// Another took their place.
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

  private func goneFailure(_ job: String) -> Failure {
    Failure(
      .permission,
      "the job '\(job)' is not in the config, so nothing may be fetched for it; add it, then "
        + setup.pipeline.services.suggested.command("transfers retry"))
  }
}

// MARK: Writing

extension TransferService {
  /// Lets something happen to a transfer, and does what follows from it. One that has ended is taken
  /// in as `reviving` has it.
  func apply(
    _ event: TransferEvent, to id: Int64, reviving ended: TransferRecord? = nil
  ) async {
    let now = now()
    let chance = Double(setup.pipeline.services.time.random() >> 11) * 0x1p-53
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
    for action in actions { await perform(action, record) }
    if !actions.isEmpty, !record.state.isPending { withState { $0.ended.append(record) } }
    settle(id)
  }

  /// What happens at once to so many is written down together: one by one, thousands would keep all
  /// others waiting for minutes.
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

  private func perform(_ action: TransferAction, _ record: TransferRecord) async {
    switch action {
    case .store: await keep(record)
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
  }

  /// What cannot be written down is not gone on with here: another process finds it as it was.
  private func keep(_ record: TransferRecord) async {
    do throws(StoreError) {
      if try await !store.update(record) { await drop(record.id, of: record.job) }
    } catch {
      setup.events.emit(.storeRefused(.transfer(record.id), error))
      forget(record.id)
    }
  }

  /// Puts a transfer where its state belongs: pending ones into the queue, unless an attempt is under
  /// way, ended ones out of it. Of one that waits no more is kept here than its place. `stored` is how
  /// one stands of which no more was known.
  func settle(_ id: Int64, stored: TransferRecord? = nil) {
    withState { state in
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
        if record.isTold { Self.forget(id, &state) }
      }
    }
    poke()
  }

  func forget(_ id: Int64) { withState { Self.forget(id, &$0) } }

  static func forget(_ id: Int64, _ state: inout State) {
    state.machines[id] = nil
    state.queue.remove(id)
    state.offline.remove(id)
    state.forgotten.insert(id)
  }

  /// One that is in the store no more. What it left is removed when nobody works on it.
  private func drop(_ id: Int64, of job: String) async {
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

  func discard(_ id: Int64, of job: String) async {
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
  /// Whether something is to be done for it here, or was since the store was last read.
  fileprivate func isKnown(_ id: Int64) -> Bool {
    machines[id] != nil || queue.contains(id) || unreported[id] != nil || forgotten.contains(id)
  }

  /// Into the queue, as it stands now.
  fileprivate mutating func enter(_ record: TransferRecord) {
    queue.set(record, hostname: TransferService.hostname(of: record))
    let isOffline = record.state == .waiting && record.failure?.code == .offline
    if isOffline { offline.insert(record.id) } else { offline.remove(record.id) }
  }
}
