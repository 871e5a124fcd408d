import DequeModule
import FetchModel
import FetchValues
import FetchWire
import Glibc
import Logging

/// The one thread that owns all worker processes. It places runs, moves frames, enforces windows,
/// and repeats innocent runs when a worker dies. Other threads use the mailbox.
///
/// The host knows a run by the worker's socket and its own table. A frame that does not fit the
/// table is an error of the worker, never a fact.
///
/// SAFETY: made by the pool, then used by its thread only.
final class WorkerSupervisor: @unchecked Sendable {
  let configuration: WorkerPoolConfiguration
  let mailbox: PoolMailbox
  let logger: Logger

  var poller = Poller()
  var workers: [UInt64: WorkerProcess] = [:]
  var runs: [UInt64: ActiveRun] = [:]
  var queue: Deque<WorkerQueueEntry> = []
  var leaving: [pid_t] = []
  var lockdown: WorkerPoolConfiguration.Lockdown
  var now = Monotonic.now()
  /// No timer is due before this.
  private var nextTimerAt = UInt64.max
  private var unflushed: [WorkerProcess] = []
  private var lastWorkerID = WorkerSupervisor.mailboxID
  private var afterShutdown: (@Sendable () -> Void)?

  private static let mailboxID: UInt64 = 0

  init(configuration: WorkerPoolConfiguration, mailbox: PoolMailbox, logger: Logger) {
    self.configuration = configuration
    lockdown = configuration.lockdown
    self.mailbox = mailbox
    self.logger = logger
  }

  /// Runs the thread until the pool is shut down.
  func serve() {
    poller.add(mailbox.descriptor, id: Self.mailboxID)
    while afterShutdown == nil {
      let events = poller.wait(milliseconds: pollTimeout())
      now = Monotonic.now()
      for event in events where event.id != Self.mailboxID { handle(event) }
      for letter in mailbox.take() { handle(letter) }
      if now >= nextTimerAt {
        nextTimerAt = .max
        runTimers()
      }
      placeQueued()
      flushAll()
    }
    closeDown()
  }

  /// Schedules `runTimers` at that time.
  func wake(at time: UInt64) { nextTimerAt = min(nextTimerAt, time) }

  private func pollTimeout() -> Int32 {
    if nextTimerAt == .max { return -1 }
    let current = Monotonic.now()
    guard nextTimerAt > current else { return 0 }
    return Int32(min((nextTimerAt - current) / 1_000_000 + 1, 60_000))
  }

  private func handle(_ letter: PoolMailbox.Letter) {
    switch letter {
    case .submit(let run):
      runs[run.id] = run
      queue.append(.run(run))
    case .inspect(let inspection): queue.append(.inspection(inspection))
    case .answer(let run, let call, let answer): take(answer, call: call, run: run)
    case .cancel(let id):
      guard let run = runs[id] else { return }
      end(run, Failure(.cancelled, "the run was cancelled"))
    case .distrust(let id):
      if let worker = workers[id] { lose(worker, "sent invalid data") }
    case .report(let deliver): deliver(statuses)
    case .setLockdown(let lockdown): self.lockdown = lockdown
    case .shutDown(let done): afterShutdown = done
    }
  }

  private var statuses: [WorkerStatus] {
    workers.values.sorted { $0.id < $1.id }.map { worker in
      WorkerStatus(
        process: worker.process, plugin: worker.plugin.name, runCount: worker.runs.count,
        executingCount: worker.executingCount, isolation: worker.isolation)
    }
  }

  private func closeDown() {
    for letter in mailbox.close() {
      switch letter {
      case .submit(let run): queue.append(.run(run))
      case .inspect(let inspection): queue.append(.inspection(inspection))
      case .shutDown(let done): done()
      case .report(let deliver): deliver([])
      case .answer, .cancel, .distrust, .setLockdown: break
      }
    }
    let failure = Failure(.cancelled, "the run was cancelled: fetchrun is shutting down")
    for case .inspection(let inspection) in queue {
      inspection.deliver(.failure(failure))
    }
    queue.removeAll()
    for run in runs.values { run.end(.failure(failure), usage: RunUsage()) }
    for worker in workers.values {
      for inspection in worker.inspections { inspection.deliver(.failure(failure)) }
      close(worker.descriptor)
      kill(worker.process, SIGKILL)
      leaving.append(worker.process)
    }
    workers = [:]
    for process in leaving { _ = reap(process) }
    afterShutdown?()
  }
}

// MARK: - Workers come and go

extension WorkerSupervisor {
  func spawn(_ plugin: PluginSource, isDedicated: Bool) throws(Failure) -> WorkerProcess {
    lastWorkerID += 1
    let worker = try WorkerProcess(
      id: lastWorkerID, plugin: plugin, isDedicated: isDedicated, now: now,
      configuration: configuration)
    workers[worker.id] = worker
    poller.add(worker.descriptor, id: worker.id)
    wake(at: now + configuration.startTimeout.nanoseconds)
    watch()
    return worker
  }

  /// Ends a worker that has no runs any more, without waiting for it.
  func retire(_ worker: WorkerProcess) {
    detach(worker)
    kill(worker.process, SIGKILL)
    leaving.append(worker.process)
    reapLeaving()
  }

  func detach(_ worker: WorkerProcess) {
    workers[worker.id] = nil
    poller.remove(id: worker.id)
    close(worker.descriptor)
  }

  /// Waits for a process that was killed or whose socket is closed; this takes no time.
  func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  func reapLeaving() {
    leaving.removeAll { process in
      var status: Int32 = 0
      return waitpid(process, &status, WNOHANG) != 0
    }
    if !leaving.isEmpty { wake(at: now + 20_000_000) }
  }
}

// MARK: - Writing

extension WorkerSupervisor {
  /// Frames are written once per turn, many in one system call.
  func queueFlush(_ worker: WorkerProcess) {
    guard !worker.isFlushQueued else { return }
    worker.isFlushQueued = true
    unflushed.append(worker)
  }

  private func flushAll() {
    while let worker = unflushed.popLast() {
      worker.isFlushQueued = false
      if workers[worker.id] != nil { flush(worker) }
    }
  }

  func flush(_ worker: WorkerProcess) {
    do {
      var isDone = true
      repeat {
        isDone = try worker.writer.flush(to: worker.descriptor)
      } while isDone && releaseReplies(worker)
      guard worker.isWriteAwaited == isDone else { return }
      worker.isWriteAwaited = !isDone
      poller.setWritable(id: worker.id, !isDone)
    } catch { lose(worker, "\(error)") }
  }
}
