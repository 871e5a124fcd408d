import DequeModule
import FetchModel

/// Which worker gets which run.
extension WorkerSupervisor {
  /// A plugin gets a second worker when each it has is busy with this many runs.
  private static let runsBeforeSpreading = 2

  /// Behind so many who find no process nobody passes: each look at the line takes time.
  private static let passedMax = 64

  private enum Place {
    case worker(WorkerProcess)
    case new
    /// As many workers compute as may: a matter of moments, which nobody overtakes.
    case noTurn
    /// As many processes are there as may be, each with runs: a matter of minutes where those wait for
    /// servers. Runs that have a place in one of them pass.
    case noProcess
  }

  /// Places what waits, in order. Who finds no process is passed by others who have a place in one, and
  /// keeps a process free for itself meanwhile: one that takes no more runs from those behind.
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
      case .worker, .new:
        queue.remove(at: passedCount)
        put(entry, place)
      }
    }
    release(passedCount)
  }

  private var reservedCount: Int { workers.values.count(where: \.isReserved) }

  /// Keeps a worker for each of those who are passed, half of all at most: the one with the fewest runs.
  /// It is free when they have ended.
  private func reserve(_ passedCount: Int) {
    guard reservedCount < min(passedCount, max(1, configuration.workersMax / 2)) else { return }
    workers.values.filter { !$0.isReserved }
      .min { ($0.runs.count, $0.id) < ($1.runs.count, $1.id) }?.isReserved = true
  }

  /// Keeps no more workers than there are who are passed.
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

  /// Room for one more process, made where needed by ending the worker that is idle the longest.
  private func newPlace() -> Place {
    guard hasBusySlot else { return .noTurn }
    guard workers.count >= configuration.workersMax else { return .new }
    let idle = workers.values.filter(\.isIdle).min { $0.idleSince < $1.idleSince }
    guard let idle else { return .noProcess }
    retire(idle)
    return .new
  }
}
