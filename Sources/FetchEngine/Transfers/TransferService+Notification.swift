import FetchHost
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

extension TransferService {
  /// Whether a plugin wants to hear of its transfers; of one that is left for another time it is not
  /// known yet.
  func isHeard(_ job: String) -> Bool {
    switch setup.standing(job) {
    case .ready(let job): job.plugin.manifest.functions.contains(Manifest.transferEntry)
    case .held: true
    case .gone: false
    }
  }

  /// So many runs for ended transfers wait for their turn; of the others no more is kept than that.
  private static let notificationsMax = 64

  /// Lets plugins know of ended transfers, each in a run of its own. What begins no more, or is of a
  /// held job, is told of another time.
  func tellAll() async {
    let unreported = withState { state in
      state.happeningCount += 1
      return isDraining ? [] : state.unreported.sorted { $0.key < $1.key }
    }
    defer {
      withState { $0.happeningCount -= 1 }
      poke()
    }
    for (id, job) in unreported {
      let listener: Job?
      switch setup.standing(job) {
      case .ready(let job): listener = isHeard(job.name) ? job : nil
      case .gone: listener = nil
      case .held: continue
      }
      guard let record = await record(of: id) else {
        withState { _ = $0.unreported.removeValue(forKey: id) }
        continue
      }
      let isFull = withState { state in
        if state.notifications.count >= Self.notificationsMax { return true }
        tell(record, to: listener, &state)
        return false
      }
      if isFull { return }
    }
  }

  // Under the lock: its end must not come before it is known.
  private func tell(_ known: TransferRecord, to listener: Job?, _ state: inout State) {
    let id = known.id
    guard !isDraining, state.unreported.removeValue(forKey: id) != nil else { return }
    let machine = state.machines[id] ?? TransferMachine(known)
    let record = machine.record
    if record.state.isPending { return }
    state.machines[id] = machine
    let task = Task(executorPreference: HostExecutor.shared) { [self] in
      let isTold =
        if let listener { await run(listener, for: record) } else { await markTold(record) }
      withState { state in
        state.notifications[id] = nil
        // Meanwhile somebody may have wanted it again.
        let isEnded = state.machines[id]?.record.state.isPending == false
        if isTold, isEnded { Self.forget(id, &state) }
        // Not until the user agrees to what the plugin asks for.
        if !isTold, isEnded, setup.pipeline.services.grants.isHeld(record.job) {
          state.unreported[id] = record.job
          state.machines[id] = nil
        }
      }
      await tellAll()
    }
    state.notifications[id] = task
    if state.isCancelled { task.cancel() }
  }

  private func run(_ job: Job, for record: TransferRecord) async -> Bool {
    let report = await setup.pipeline.run(job, trigger: .transfer, transfer: record)
    _ = setup.gate.charge(RunCost(report.record), to: job.name, now: now())
    withState { state in
      state.reports.append(report)
      if report.transferCount > 0 { state.isStale = true }
    }
    return report.isTransferTold
  }

  private func markTold(_ record: TransferRecord) async -> Bool {
    var record = record
    record.isTold = true
    do throws(StoreError) { return try await store.update(record) } catch {
      setup.events.emit(.storeRefused(.transfer(record.id), error))
      return false
    }
  }
}
