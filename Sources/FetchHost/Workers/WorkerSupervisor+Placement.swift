import DequeModule
import FetchModel

extension WorkerSupervisor {
  /// The number of executing runs that each suitable worker must have before a new worker is
  /// started for a run.
  private static let runsBeforeSpreading = 2

  /// The maximum number of waiting entries that later entries may pass in one call of
  /// `placeQueued`. The limit is needed because the search for a place of each entry takes time.
  private static let passedMax = 64

  private enum Place {
    case worker(WorkerProcess)
    case new
    /// The limit of busy workers is reached. This state usually lasts only a short time, so later
    /// entries do not pass this entry.
    case noTurn
    /// The limit of processes is reached, and no process is idle. This state can last minutes if
    /// the runs wait for servers. Therefore later entries may pass if an existing process has a
    /// place for them.
    case noProcess
  }

  /// Assigns waiting entries to workers, in order. If there is no process for an entry, later
  /// entries that fit into an existing process may pass the entry. For the passed entry, `reserve`
  /// may reserve a process, which then accepts no later entries.
  func placeQueued() {
    var passedCount = 0
    placing: while passedCount < min(Self.passedMax, queue.count) {
      let entry = queue[passedCount]
      let place = place(for: entry, isPassing: passedCount > 0)
      switch place {
      case .noTurn: break placing
      case .noProcess:
        passedCount += 1
        reserve(passedCount)
      case .worker(let worker) where isOveruse(by: worker):
        // The entry gets another place. The lost worker's runs are now the first entries.
        lose(worker)
        passedCount = 0
      case .worker, .new:
        queue.remove(at: passedCount)
        put(entry, place)
      }
    }
    release(passedCount)
  }

  private var reservedCount: Int { workers.values.count(where: \.isReserved) }

  /// Reserves a worker if there are fewer reserved workers than passed entries. At most half of
  /// `workersMax` workers are reserved, or one worker if `workersMax` is 1. Selects the worker with
  /// the fewest runs.
  private func reserve(_ passedCount: Int) {
    guard reservedCount < min(passedCount, max(1, configuration.workersMax / 2)) else { return }
    workers.values.filter { !$0.isReserved }
      .min { ($0.runs.count, $0.id) < ($1.runs.count, $1.id) }?.isReserved = true
  }

  /// Releases the reservations beyond the number of passed entries.
  private func release(_ passedCount: Int) {
    let excessCount = reservedCount - passedCount
    guard excessCount > 0 else { return }
    for worker in workers.values.filter(\.isReserved).prefix(excessCount) {
      worker.isReserved = false
    }
  }

  private func place(for entry: WorkerQueueEntry, isPassing: Bool) -> Place {
    switch entry {
    case .run(let run):
      run.needsOwnWorker ? newPlace() : sharedPlace(run.run, isPassing: isPassing)
    case .inspection(let inspection):
      openWorkers(of: inspection.plugin, isPassing: isPassing).first.map { .worker($0) }
        ?? newPlace()
    }
  }

  private func put(_ entry: WorkerQueueEntry, _ place: Place) {
    switch (entry, place) {
    case (.run(let run), .worker(let worker)): give(run, to: worker)
    case (.run(let run), _):
      do { give(run, to: try spawn(run.run.plugin, isDedicated: run.needsOwnWorker)) } catch {
        finish(run, .failure(error), RunUsage())
      }
    case (.inspection(let inspection), .worker(let worker)):
      if let manifest = worker.manifest { return inspection.deliver(.success(manifest)) }
      worker.inspections.append(inspection)
    case (.inspection(let inspection), _):
      do {
        try spawn(inspection.plugin, isDedicated: false).inspections.append(inspection)
      } catch { inspection.deliver(.failure(error)) }
    }
  }

  private func give(_ run: ActiveRun, to worker: WorkerProcess) {
    worker.adopt(run)
    if worker.phase == .ready { start(run, in: worker) }
  }

  private func openWorkers(of plugin: PluginSource, isPassing: Bool) -> [WorkerProcess] {
    workers.values.filter {
      !$0.isDedicated && !$0.isRetiring && !(isPassing && $0.isReserved)
        && $0.runs.count < configuration.runsPerWorkerMax
        && $0.plugin.contentHash == plugin.contentHash
    }
  }

  private func sharedPlace(_ run: WorkerRun, isPassing: Bool) -> Place {
    let open = openWorkers(of: run.plugin, isPassing: isPassing).filter { worker in
      worker.extraGrant == nil || worker.extraGrant == run.extraGrant
    }
    let best = open.min { $0.executingCount < $1.executingCount }
    if let best, best.isBusy, best.executingCount < Self.runsBeforeSpreading {
      return .worker(best)
    }
    if let best, !best.isBusy { return hasBusySlot ? .worker(best) : .noTurn }
    let place = newPlace()
    if case .new = place { return .new }
    return best.map { .worker($0) } ?? place
  }

  private var hasBusySlot: Bool {
    workers.values.count(where: \.isBusy) < configuration.busyWorkersMax
  }

  /// Returns `.new` if the limits allow one more process, and otherwise the limit that is reached.
  /// If necessary, makes room by ending the worker that has been idle the longest.
  private func newPlace() -> Place {
    guard hasBusySlot else { return .noTurn }
    guard workers.count >= configuration.workersMax else { return .new }
    let idle = workers.values.filter(\.isIdle).min { $0.idleSince < $1.idleSince }
    guard let idle else { return .noProcess }
    retire(idle)
    return .new
  }
}
