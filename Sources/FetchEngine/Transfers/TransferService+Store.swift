import FetchHost
import FetchModel
import FetchStore
import FetchValues

extension TransferService {
  /// Applies an event to a transfer and carries out the actions that follow. To revive an ended
  /// transfer, pass its record as `reviving`.
  func apply(
    _ event: TransferEvent, to id: Int64, reviving ended: TransferRecord? = nil
  ) async {
    withState { $0.eventCounts[id, default: 0] += 1 }
    defer {
      withState { $0.endEvent(id) }
      poke()
    }
    // An attempt may already place its file, which cannot be undone. It ends before the event
    // counts, so that no file of a cancelled transfer is placed.
    if event.endsTransfer { await stopAttempt(at: id) }
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
      if ended != nil { state.forgotten.remove(id) }
      if state.machines[id] == nil, !state.forgotten.contains(id) {
        state.machines[id] = TransferMachine(known)
      }
      let actions =
        state.machines[id]?.handle(event, now: now, chance: chance, isHeard: isHeard) ?? []
      return (actions, state.machines[id]?.record)
    }
    guard let record else { return }
    for action in actions { guard await perform(action, record) else { return } }
    if !actions.isEmpty, !record.state.isPending { withState { $0.ended.append(record) } }
  }

  /// The maximum number of events that are applied at the same time. One commit can store all of
  /// them. Thousands of single commits would delay other writes.
  private static let togetherMax = 64

  func apply(_ event: TransferEvent, toEach ids: [Int64]) async {
    for start in stride(from: 0, to: ids.count, by: Self.togetherMax) {
      await withTaskGroup { group in
        for id in ids[start...].prefix(Self.togetherMax) {
          group.addTask { await self.apply(event, to: id) }
        }
      }
    }
  }

  /// Forgets a transfer for which the store has reported an error, and cancels its attempt. The next
  /// read of the store, before which no transfer begins, finds the transfer again.
  func refused(_ id: Int64, _ error: StoreError) {
    let now = now()
    withState { state in
      Self.forget(id, &state)
      state.attempts[id]?.cancel()
      state.changeRefused(now: now)
    }
    setup.events.emit(.storeRefused(.transfer(id), error))
  }

  /// Carries out an action. Returns false if the store reported an error; the caller then skips the
  /// following actions.
  private func perform(_ action: TransferAction, _ record: TransferRecord) async -> Bool {
    switch action {
    case .store: return await keep(record)
    case .fetch: break
    case .discard: await discard(record.id, of: record.job)
    case .tell:
      withState { $0.unreported[record.id] = record.job }
      await tellAll()
    }
    return true
  }

  /// Cancels the attempt at a transfer, if one is under way, and waits for its end.
  private func stopAttempt(at id: Int64) async {
    let attempt = withState { $0.attempts[id] }
    attempt?.cancel()
    await attempt?.value
  }

  /// Stores the record, or drops the transfer if it is no longer in the store. Returns false if the
  /// store reports an error: see `refused`.
  private func keep(_ record: TransferRecord) async -> Bool {
    do throws(StoreError) {
      let isStored = try await store.update(record)
      withState { state in
        state.nextRecords.changed(record.id)
        state.refusedChangeCount = 0
      }
      if !isStored { await drop(record.id, of: record.job) }
      return true
    } catch {
      refused(record.id, error)
      return false
    }
  }

  /// Updates the queue after a change of a transfer. A queued or waiting transfer enters the queue,
  /// unless an attempt or an event is under way. An ended transfer leaves the queue. `stored` is the
  /// record to use if the transfer is neither active in this service nor forgotten.
  func settle(_ id: Int64, stored: TransferRecord? = nil) {
    withState { Self.settle(id, stored: stored, &$0) }
    poke()
  }

  static func settle(_ id: Int64, stored: TransferRecord? = nil, _ state: inout State) {
    let stored = state.forgotten.contains(id) ? nil : stored
    guard let record = state.machines[id]?.record ?? stored else { return }
    switch record.state {
    case .running: break
    case .queued, .waiting:
      if state.attempts[id] == nil, state.eventCounts[id] == nil {
        state.enter(record)
        state.machines[id] = nil
      }
    case .done, .failed:
      state.queue.remove(id)
      state.offline.remove(id)
      if record.isTold { forget(id, &state) }
    }
  }

  static func forget(_ id: Int64, _ state: inout State) {
    state.machines[id] = nil
    state.queue.remove(id)
    state.offline.remove(id)
    state.nextRecords.changed(id)
    state.forgotten.insert(id)
  }

  /// Forgets a transfer that is no longer in the store. Removes its partial file, or cancels its
  /// attempt, which then removes the file. The file stays if the job is held or no longer exists.
  func drop(_ id: Int64, of job: JobName) async {
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
