import FetchHost
import FetchModel
import FetchStore

extension TransferService {
  /// Whether a plugin wants to hear of its transfers; of one that is left for another time it is not
  /// known yet.
  func isHeard(_ job: String) -> Bool {
    switch setup.standing(job) {
    case .ready(let job): job.plugin.manifest.functions.contains(RunPipeline.transferEntry)
    case .held: true
    case .gone: false
    }
  }

  /// Lets plugins know of ended transfers, each in a run of its own. What begins no more, or is of a
  /// held job, is told of another time.
  func tellAll() {
    withState { state in
      guard !state.isDraining else { return }
      for id in state.untold.sorted() { tell(id, &state) }
    }
  }

  // Under the lock: its end must not come before it is known.
  private func tell(_ id: Int64, _ state: inout State) {
    guard let record = state.machines[id]?.record, !record.state.isPending else {
      state.untold.remove(id)
      return
    }
    let listener: Job?
    switch setup.standing(record.job) {
    case .ready(let job): listener = isHeard(job.name) ? job : nil
    case .gone: listener = nil
    case .held: return
    }
    state.untold.remove(id)
    let task = Task(executorPreference: HostExecutor.shared) { [self] in
      let isTold =
        if let listener { await run(listener, for: record) } else { await markTold(record) }
      withState { state in
        state.tellings[id] = nil
        // Meanwhile somebody may have wanted it again.
        if isTold, state.machines[id]?.record.state.isPending == false { Self.forget(id, &state) }
      }
      poke()
    }
    state.tellings[id] = task
    if state.isCancelled { task.cancel() }
  }

  private func run(_ job: Job, for record: TransferRecord) async -> Bool {
    let report = await setup.pipeline.run(job, trigger: .transfer, transfer: record)
    _ = setup.gate.charge(RunCost(report.record), now: now())
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
      setup.logger("transfer \(record.id): \(error.message)")
      return false
    }
  }
}
