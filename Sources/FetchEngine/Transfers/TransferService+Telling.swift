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

  /// Lets the plugin know of an ended transfer, in a run of its own.
  func tell(_ record: TransferRecord) {
    let listener: Job?
    switch setup.standing(record.job) {
    case .ready(let job): listener = isHeard(job.name) ? job : nil
    case .gone: listener = nil
    case .held: return
    }
    // What begins no more is told of by the next process.
    if withState(\.isDraining) { return }
    let task = Task(executorPreference: HostExecutor.shared) { [self] in
      let isTold =
        if let listener { await run(listener, for: record) } else { await markTold(record) }
      withState { $0.tellings[record.id] = nil }
      if isTold { forget(record.id) }
      poke()
    }
    withState { state in
      state.tellings[record.id] = task
      if state.isCancelled { task.cancel() }
    }
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
