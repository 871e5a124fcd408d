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
      let records: [TransferRecord]
      do throws(StoreError) { records = try store.reader.openTransfers() } catch {
        return setup.logger(error.message)
      }
      takeNew(records)
      await dropAll(except: Set(records.map(\.id)))
    }
    if isStale || isRechecking {
      await refuseGone()
      stopHeld()
      tellAll()
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
      return state.machines.values.filter {
        $0.record.state == .waiting && $0.record.failure?.code == .offline
      }.map(\.record.id)
    }
    for id in offline { await apply(.retry, to: id) }
  }

  private func takeNew(_ records: [TransferRecord]) {
    withState { state in
      for record in records
      where state.machines[record.id] == nil && !state.forgotten.contains(record.id) {
        state.machines[record.id] = TransferMachine(record)
        if record.state.isPending {
          state.queue.set(record, hostname: Self.hostname(of: record))
        } else {
          state.untold.insert(record.id)
        }
      }
    }
  }

  static func hostname(of record: TransferRecord) -> String {
    (try? TargetURL(record.request.url))?.hostname ?? ""
  }

  /// Another took their place.
  private func dropAll(except ids: Set<Int64>) async {
    let gone = withState { state in
      state.machines.values.map(\.record).filter { $0.state.isPending && !ids.contains($0.id) }
    }
    for record in gone { await drop(record) }
  }

  private func refuseGone() async {
    let pending = withState { state in
      state.machines.values.map(\.record).filter(\.state.isPending)
    }
    for record in pending {
      guard case .gone = setup.standing(record.job) else { continue }
      await apply(.refused(Self.goneFailure(record.job)), to: record.id)
    }
  }

  private static func goneFailure(_ job: String) -> Failure {
    Failure(
      .permission,
      "the job '\(job)' is not in the config, so nothing may be fetched for it; add it, then "
        + "fetchrun transfers retry")
  }
}

// MARK: Writing

extension TransferService {
  /// Lets something happen to a transfer, and does what follows from it. One that is not known here
  /// is taken in as `reviving` has it.
  func apply(
    _ event: TransferEvent, to id: Int64, reviving ended: TransferRecord? = nil
  ) async {
    let now = now()
    let chance = Double(setup.pipeline.time.random() >> 11) * 0x1p-53
    let isHeard = withState { $0.machines[id]?.record.job }.map(isHeard) ?? false
    let (actions, record) = withState { state -> ([TransferAction], TransferRecord?) in
      if let ended, state.machines[id] == nil {
        state.machines[id] = TransferMachine(ended)
        state.forgotten.remove(id)
      }
      let actions =
        state.machines[id]?.handle(event, now: now, chance: chance, isHeard: isHeard) ?? []
      return (actions, state.machines[id]?.record)
    }
    guard let record else { return }
    for action in actions { await perform(action, record) }
    if !actions.isEmpty, !record.state.isPending { withState { $0.ended.append(record) } }
    settle(id)
  }

  private func perform(_ action: TransferAction, _ record: TransferRecord) async {
    switch action {
    case .store: await keep(record)
    case .fetch: break
    case .stop:
      let attempt = withState { $0.attempts[record.id] }
      attempt?.cancel()
      await attempt?.value
    case .discard: await discard(record)
    case .tell:
      withState { state in _ = state.untold.insert(record.id) }
      tellAll()
    }
  }

  /// What cannot be written down is not gone on with here: another process finds it as it was.
  private func keep(_ record: TransferRecord) async {
    do throws(StoreError) {
      if try await !store.update(record) { await drop(record) }
    } catch {
      setup.logger("transfer \(record.id): \(error.message)")
      forget(record.id)
    }
  }

  /// Puts a transfer where its state belongs: pending ones into the queue, unless an attempt is under
  /// way, ended ones out of it.
  func settle(_ id: Int64) {
    withState { state in
      guard let record = state.machines[id]?.record else { return }
      switch record.state {
      case .running: break
      case .queued, .waiting:
        if state.attempts[id] == nil {
          state.queue.set(record, hostname: Self.hostname(of: record))
        }
      case .done, .failed:
        state.queue.remove(id)
        if record.isTold { Self.forget(id, &state) }
      }
    }
    poke()
  }

  func forget(_ id: Int64) { withState { Self.forget(id, &$0) } }

  static func forget(_ id: Int64, _ state: inout State) {
    state.machines[id] = nil
    state.queue.remove(id)
    state.forgotten.insert(id)
  }

  /// One that is in the store no more. What it left is removed when nobody works on it.
  private func drop(_ record: TransferRecord) async {
    let attempt = withState { state -> Task<Void, Never>? in
      Self.forget(record.id, &state)
      guard let attempt = state.attempts[record.id] else { return nil }
      state.dropped[record.id] = record
      return attempt
    }
    attempt?.cancel()
    if attempt == nil { await discard(record) }
  }

  // MARK: Partial files

  func discard(_ record: TransferRecord) async {
    guard case .ready(let job) = setup.standing(record.job) else { return }
    let files = setup.pipeline.files
    do throws(FileFault) {
      try await files.threads.attempt { () throws(FileFault) in
        try files.root(of: job).removePartial(record.id)
      }
    } catch {
      setup.logger("transfer \(record.id): \(error)")
    }
  }
}
