import FetchModel

/// Which worker gets which run.
extension WorkerSupervisor {
  /// A plugin gets a second worker when each it has is busy with this many runs.
  private static let runsBeforeSpreading = 2

  private enum Place {
    case worker(WorkerProcess)
    case new
    case none
  }

  /// Places what waits, in order, until one has to wait on.
  func placeQueued() {
    while let entry = queue.first {
      let isPlaced =
        switch entry {
        case .run(let run): place(run)
        case .inspection(let inspection): place(inspection)
        }
      guard isPlaced else { return }
    }
  }

  private func place(_ run: ActiveRun) -> Bool {
    switch run.needsOwnWorker ? newPlace() : sharedPlace(run.run) {
    case .none: return false
    case .worker(let worker):
      queue.popFirst()
      give(run, to: worker)
    case .new:
      queue.popFirst()
      do {
        give(run, to: try spawn(run.run.plugin, isDedicated: run.needsOwnWorker))
      } catch { finish(run, .failure(error), RunUsage()) }
    }
    return true
  }

  private func give(_ run: ActiveRun, to worker: WorkerProcess) {
    worker.adopt(run)
    if worker.phase == .ready { start(run, in: worker) }
  }

  private func place(_ inspection: Inspection) -> Bool {
    if let worker = openWorkers(of: inspection.plugin).first {
      queue.popFirst()
      if let manifest = worker.manifest {
        inspection.deliver(.success(manifest))
      } else {
        worker.inspections.append(inspection)
      }
      return true
    }
    guard case .new = newPlace() else { return false }
    queue.popFirst()
    do {
      try spawn(inspection.plugin, isDedicated: false).inspections.append(inspection)
    } catch { inspection.deliver(.failure(error)) }
    return true
  }

  private func openWorkers(of plugin: PluginSource) -> [WorkerProcess] {
    workers.values.filter {
      !$0.isDedicated && !$0.isRetiring && $0.runs.count < configuration.runsPerWorkerMax
        && $0.plugin.contentHash == plugin.contentHash
    }
  }

  private func sharedPlace(_ run: WorkerRun) -> Place {
    let open = openWorkers(of: run.plugin).filter { worker in
      worker.extraGrant == nil || worker.extraGrant == run.extraGrant
    }
    let best = open.min { $0.executingCount < $1.executingCount }
    if let best, best.isBusy, best.executingCount < Self.runsBeforeSpreading {
      return .worker(best)
    }
    if let best, !best.isBusy { return hasBusySlot ? .worker(best) : .none }
    if case .new = newPlace() { return .new }
    return best.map { .worker($0) } ?? .none
  }

  private var hasBusySlot: Bool {
    workers.values.count(where: \.isBusy) < configuration.busyWorkersMax
  }

  /// Room for one more process, made where needed by ending the worker that is idle the longest.
  private func newPlace() -> Place {
    guard hasBusySlot else { return .none }
    guard workers.count >= configuration.workersMax else { return .new }
    let idle = workers.values.filter(\.isIdle).min { $0.idleSince < $1.idleSince }
    guard let idle else { return .none }
    retire(idle)
    return .new
  }
}
