import FetchModel
import FetchWire
import Glibc

/// The time limits of runs, starting workers and idle workers, and the checks for workers that make
/// no progress or use too much CPU time or memory.
extension WorkerSupervisor {
  /// The interval of the checks of busy workers, and of runs whose time window is suspended.
  private static let watchNanoseconds: UInt64 = 500_000_000
  /// The time after which a busy worker that has sent nothing receives a ping.
  private static let silenceNanoseconds: UInt64 = 1_000_000_000

  /// Schedules a check of the busy workers.
  func watch() { wake(at: now + Self.watchNanoseconds) }

  func runTimers() {
    reapLeaving()
    for run in Array(runs.values) { checkWindow(run) }
    for worker in Array(workers.values) { check(worker) }
  }

  private func checkWindow(_ run: ActiveRun) {
    guard let worker = run.worker, workers[worker.id] != nil, run.deadline != .max else { return }
    let end = run.windowEnd
    guard now >= end else { return wake(at: max(end, nextLook(at: run))) }
    if case .ending = run.phase {
      lose(worker)
    } else {
      let isWaitOver = run.run.waits?.isUsedUp == true
      self.end(
        run,
        isWaitOver ? .waitedTooLong(run.run.limits) : .limit(.timeLimit, run.run.limits))
    }
  }

  /// Returns the time of the next check of a run whose time window is suspended; 0 for any other
  /// run. The end of a suspended window moves, so such a run is checked regularly.
  private func nextLook(at run: ActiveRun) -> UInt64 {
    guard let waits = run.run.waits, waits.isWaiting, !waits.isUsedUp else { return 0 }
    return now + Self.watchNanoseconds
  }

  private func check(_ worker: WorkerProcess) {
    guard workers[worker.id] != nil else { return }
    if worker.phase != .ready {
      let deadline = worker.startedAt + configuration.startTimeout.nanoseconds
      guard now >= deadline else { return wake(at: deadline) }
      return lose(worker)
    }
    guard !isOveruse(by: worker) else { return lose(worker, blaming: .cpuLimit) }
    if let bytes = worker.residentBytes,
      worker.account.isExceeded(memoryBytes: bytes)
    {
      return lose(worker, blaming: .memoryLimit)
    }
    if worker.isIdle {
      let end = worker.idleSince + configuration.idleTimeout.nanoseconds
      return now >= end ? retire(worker) : wake(at: end)
    }
    if worker.executingCount > 0 {
      checkProgress(worker)
    } else {
      // All runs wait. The checks become rare, so that a long wait causes few wake-ups.
      wake(at: now + max(Self.watchNanoseconds, worker.account.restedTime(now)))
    }
  }

  /// Whether the worker has used more CPU time than its runs can have used. The limits in the
  /// worker do not stop code that a plugin has brought into the worker. Such code may also send
  /// bytes without a pause, and thus appear to make progress.
  ///
  /// An idle worker causes no wake-ups. It is checked when other timers run, and before its next
  /// run.
  func isOveruse(by worker: WorkerProcess) -> Bool {
    guard worker.phase == .ready, let cpu = ProcessProbe.cpu(worker.process) else { return false }
    return worker.account.isExceeded(cpu: cpu)
  }

  /// Notes the CPU time of a worker that has nothing to do, because all its runs wait, or because
  /// it has no runs.
  func noteRest(_ worker: WorkerProcess) {
    guard worker.phase == .ready, worker.executingCount == 0,
      let cpu = ProcessProbe.cpu(worker.process)
    else { return }
    if worker.runs.isEmpty { worker.account.begin(cpu: cpu) }
    worker.account.beginRest(at: now, cpu: cpu)
  }

  /// Loses a worker that has used too much. If its only run executes, this run has exceeded the
  /// limit with the given code.
  private func lose(_ worker: WorkerProcess, blaming code: FailureCode) {
    if worker.runs.count == 1, let culprit = worker.runs.values.first,
      case .executing = culprit.phase
    {
      culprit.phase = .ending(.limit(code, culprit.run.limits))
    }
    lose(worker)
  }

  private func checkProgress(_ worker: WorkerProcess) {
    watch()
    let silence = now - min(now, worker.lastHeardAt)
    guard silence >= Self.silenceNanoseconds else { return }
    guard worker.isPinged else { return ping(worker) }
    guard silence >= 2 * Self.silenceNanoseconds else { return }
    guard !ProcessProbe.isHalted(worker.process), let cpu = ProcessProbe.cpu(worker.process) else {
      return lose(worker)
    }
    // The worker has not answered a ping, probably because of a loop in C. The worker's own CPU
    // limit cannot interrupt such a loop, so the host enforces the CPU limit.
    let executing = worker.runs.values.filter(\.isExecuting)
    let allowed = executing.map(\.run.limits.cpu.nanoseconds).max() ?? 0
    let used = cpu - min(cpu, worker.cpuWhenLastHeard)
    guard used > allowed + RunLimits.windowGrace.nanoseconds else { return }
    if executing.count == 1, let culprit = executing.first {
      culprit.phase = .ending(.limit(.cpuLimit, culprit.run.limits))
    }
    lose(worker)
  }

  private func ping(_ worker: WorkerProcess) {
    worker.pinged()
    worker.cpuWhenLastHeard = ProcessProbe.cpu(worker.process) ?? 0
    do { try worker.writer.ping() } catch { return lose(worker) }
    queueFlush(worker)
  }
}

extension ActiveRun {
  /// Whether the run has started in its worker, and has not ended there.
  var isStarted: Bool {
    switch phase {
    case .executing, .waiting, .ending: true
    case .queued, .placed: false
    }
  }

  fileprivate var isExecuting: Bool {
    switch phase {
    case .executing, .ending: true
    case .queued, .placed, .waiting: false
    }
  }
}
