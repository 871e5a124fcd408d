import FetchModel
import FetchValues
import Glibc
import Logging

/// What happens when a worker process is gone, or has to go.
///
/// A run that was waiting for the host cannot have been what the worker executed: it is repeated
/// as it was. A run that may have been executing is repeated in a process of its own, where the
/// next crash is its own doing. Repeated runs are answered from their journal.
extension WorkerSupervisor {
  private static let crashesMax = 2
  private static let exposuresMax = 2

  /// The worker is dead, or what it sent makes no sense: it is ended and its runs are sorted.
  func lose(_ worker: WorkerProcess, _ reason: String) {
    guard workers[worker.id] != nil else { return }
    detach(worker)
    kill(worker.process, SIGKILL)
    let end = Self.words(for: reap(worker.process))
    // Who waits for one that did not start is told why.
    logger.log(
      level: worker.phase == .starting ? .debug : .warning, "worker lost",
      metadata: [
        "plugin": "\(worker.plugin.name)", "reason": "\(reason)", "end": "\(end)",
        "runs": "\(worker.runs.count)",
      ])
    let lost = worker.runs.values.sorted { $0.id < $1.id }
    worker.runs = [:]
    worker.heldReplies = []
    repeatInspections(of: worker, end)
    let again = lost.filter { isRepeatable($0, worker, end) }
    for run in again {
      run.worker = nil
      run.phase = .queued
      run.run.waits?.setWaitsForWorker(true)
      run.heldAnswer = nil
      run.deadline = .max
    }
    queue.prepend(again.map { .run($0) })
  }

  /// Delivers the run's failure where it is not to be repeated.
  private func isRepeatable(_ run: ActiveRun, _ worker: WorkerProcess, _ end: String) -> Bool {
    switch run.phase {
    case .queued: return true
    case .ending(let failure):
      deliver(run, failure)
      return false
    case .placed where worker.phase == .starting:
      run.unstartedCount += 1
      if run.unstartedCount < Self.crashesMax { return true }
      deliver(run, startFailure(end))
      return false
    case .placed, .executing: run.crashCount += 1
    case .waiting:
      if worker.isDedicated { run.crashCount += 1 } else { run.exposureCount += 1 }
    }
    if let failure = Self.lastFailure(of: run, end) {
      deliver(run, failure)
      return false
    }
    run.needsOwnWorker =
      run.run.isolation == .perRun || run.crashCount > 0 || run.exposureCount >= Self.exposuresMax
    return true
  }

  /// The failure of a run that is not to be repeated; nil where it is.
  private static func lastFailure(of run: ActiveRun, _ end: String) -> Failure? {
    let what = "the worker process ended in the middle of this run (\(end))"
    if run.crashCount >= crashesMax {
      return Failure(
        .workerCrashed,
        "\(what) each time it was tried; the plugin may have met a fault in Lua or in a library")
    }
    guard run.journal.isIncomplete else { return nil }
    return Failure(
      .workerCrashed, "\(what), which had received too much to be repeated", retryable: true)
  }

  private func deliver(_ run: ActiveRun, _ failure: Failure) {
    runs[run.id] = nil
    run.end(.failure(failure), usage: RunUsage())
  }

  private func repeatInspections(of worker: WorkerProcess, _ end: String) {
    for var inspection in worker.inspections {
      inspection.attemptCount += 1
      if inspection.attemptCount < Self.crashesMax {
        queue.append(.inspection(inspection))
      } else {
        inspection.deliver(
          .failure(
            worker.phase == .starting
              ? startFailure(end)
              : Failure(
                .workerCrashed, "the worker process ended while the plugin was loaded (\(end))")))
      }
    }
    worker.inspections = []
  }

  private func startFailure(_ end: String) -> Failure {
    if end == Self.words(for: LoaderReport.exitStatus << 8),
      let report = LoaderReport.of(configuration.executable)
    {
      return Failure(
        .workerUnavailable, "\(WorkerExecutable.name) cannot start: \(report)", retryable: true)
    }
    return Failure(
      .workerUnavailable, "the worker process ended before it was ready (\(end))",
      retryable: true)
  }

  private static func words(for status: Int32) -> String {
    let signal = status & 0x7f
    if signal == 0 { return "exit status \(status >> 8 & 0xff)" }
    return "signal \(signal), \(String(cString: strsignal(signal)))"
  }
}
