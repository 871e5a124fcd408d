import FetchHost
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

extension TransferService {
  /// Whether the plugin of a job has a function that is called for ended transfers. True for a held
  /// job, whose plugin is checked later.
  func isHeard(_ job: JobName) -> Bool {
    switch setup.standing(job) {
    case .ready(let job): job.plugin.manifest.functions.contains(Manifest.transferEntry)
    case .held: true
    case .gone: false
    }
  }

  private static let notificationsMax = 64

  /// Notifies plugins of ended transfers, with one run for each transfer. Starts no run if the job
  /// no longer exists or its plugin has no function for ended transfers; only marks the transfer as
  /// reported. Transfers of a held job are reported later. A draining service leaves all ended
  /// transfers to a later process.
  func tellAll() async {
    let unreported = withState { state in
      state.tellingCount += 1
      return isDraining ? [] : state.unreported.sorted { $0.key < $1.key }
    }
    defer {
      withState { $0.tellingCount -= 1 }
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

  // The caller holds the lock, so that the notification cannot end before it is registered.
  private func tell(_ known: TransferRecord, to listener: Job?, _ state: inout State) {
    let id = known.id
    // A transfer that was retried may end again during the notification of its first end.
    guard !isDraining, state.notifications[id] == nil,
      state.unreported.removeValue(forKey: id) != nil
    else { return }
    let machine = state.machines[id] ?? TransferMachine(known)
    let record = machine.record
    if record.state.isPending { return }
    state.machines[id] = machine
    let task = Task(executorPreference: HostExecutor.shared) { [self] in
      let telling =
        if let listener { await run(listener, for: record) } else { await markTold(record) }
      let now = now()
      withState { state in
        // The loop must not find the service idle before the next notifications begin.
        state.tellingCount += 1
        state.notifications[id] = nil
        // A person may have retried the transfer during the notification.
        let isSame = state.machines[id]?.record == record
        switch telling {
        case .success(true) where isSame: Self.forget(id, &state)
        // The job is held, for example until its permissions are approved. The plugin is notified
        // later.
        case .success(false) where isSame && setup.pipeline.services.grants.isHeld(record.job):
          state.unreported[id] = record.job
          state.machines[id] = nil
        case .success: break
        // The next read of the store finds the transfer again.
        case .failure:
          if isSame { state.machines[id] = nil }
          state.changeRefused(now: now)
        }
      }
      await tellAll()
      withState { $0.tellingCount -= 1 }
      poke()
    }
    state.notifications[id] = task
    if state.isCancelled { task.cancel() }
  }

  /// Notifies the plugin. Returns whether the plugin counts as notified.
  private func run(_ job: Job, for record: TransferRecord) async -> Result<Bool, StoreError> {
    let report = await setup.pipeline.run(job, trigger: .transfer, transfer: record)
    _ = setup.gate.charge(RunCost(report.record), to: job.name, now: now())
    withState { state in
      state.reports.append(report)
      if report.transferCount > 0 { state.isStale = true }
    }
    return report.storeError.map { .failure($0) } ?? .success(report.isTransferTold)
  }

  private func markTold(_ record: TransferRecord) async -> Result<Bool, StoreError> {
    var record = record
    record.isTold = true
    do throws(StoreError) { return .success(try await store.update(record)) } catch {
      setup.events.emit(.storeRefused(.transfer(record.id), error))
      return .failure(error)
    }
  }
}

/// The overall progress of the transfers that a service carries out.
package struct TransferProgress: Equatable, Sendable {
  package var runningCount = 0
  /// The number of pending transfers, including those under way.
  package var pendingCount = 0
  package var receivedBytes: Int64 = 0
  /// The total size of all pending transfers in bytes; nil if it is unknown.
  package var totalBytes: Int64?

  package init() {}

  /// Adds the size of a pending transfer; nil if the size is unknown. Servers and plugins may state
  /// any size, so a sum that exceeds `Int64` counts as unknown.
  package mutating func add(totalBytes other: Int64?) {
    guard let sum = totalBytes, let other else { return totalBytes = nil }
    let (all, isTooMuch) = sum.addingReportingOverflow(other)
    totalBytes = isTooMuch ? nil : all
  }
}
