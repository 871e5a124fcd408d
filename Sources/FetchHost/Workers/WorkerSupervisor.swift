import CHost
import DequeModule
import FetchModel
import FetchValues
import FetchWire
import Glibc
import Synchronization

/// The one thread that owns all worker processes. It assigns runs to workers, exchanges frames with
/// workers, and enforces time windows. After a crash of a worker, it repeats the worker's runs or
/// ends them. Other threads send it messages through `PoolMailbox`.
///
/// A worker that sends a frame for a run that it does not have is ended.
///
/// SAFETY: created by the pool, and then used only by the thread that the pool starts.
final class WorkerSupervisor: @unchecked Sendable {
  let configuration: WorkerPoolConfiguration
  let mailbox: PoolMailbox

  var poller = Poller()
  var workers: [UInt64: WorkerProcess] = [:]
  var runs: [UInt64: ActiveRun] = [:]
  var queue: Deque<WorkerQueueEntry> = []
  var leaving: [pid_t] = []
  var lockdown: WorkerPoolConfiguration.Lockdown
  var now = Monotonic.now()
  private var nextTimerAt = UInt64.max
  private var unflushed: [WorkerProcess] = []
  private var lastWorkerID = WorkerSupervisor.mailboxID
  private var afterShutdown: (@Sendable () -> Void)?

  private static let mailboxID: UInt64 = 0

  init(configuration: WorkerPoolConfiguration, mailbox: PoolMailbox) {
    self.configuration = configuration
    lockdown = configuration.lockdown
    self.mailbox = mailbox
  }

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

  /// Schedules a call of `runTimers` at the given time or earlier.
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
      if let worker = workers[id] { lose(worker) }
    case .report(let deliver): deliver(statuses)
    case .setLockdown(let lockdown): self.lockdown = lockdown
    case .shutDown(let done):
      let earlier = afterShutdown
      afterShutdown = {
        earlier?()
        done()
      }
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
      case .submit(let run): runs[run.id] = run
      case .inspect(let inspection): queue.append(.inspection(inspection))
      case .shutDown: handle(letter)
      case .report(let deliver): deliver([])
      case .answer, .cancel, .distrust, .setLockdown: break
      }
    }
    let failure = mailbox.refusal
    for case .inspection(let inspection) in queue {
      inspection.deliver(.failure(failure))
    }
    queue.removeAll()
    for run in runs.values { run.end(.failure(failure), usage: RunUsage()) }
    for worker in workers.values {
      for inspection in worker.inspections { inspection.deliver(.failure(failure)) }
      worker.closeDescriptors()
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

  /// Ends a worker that has no runs any more, without waiting for the end of its process.
  func retire(_ worker: WorkerProcess) {
    detach(worker)
    kill(worker.process, SIGKILL)
    leaving.append(worker.process)
    reapLeaving()
  }

  func detach(_ worker: WorkerProcess) {
    workers[worker.id] = nil
    poller.remove(id: worker.id)
    worker.closeDescriptors()
  }

  /// Waits for the end of a killed process, and returns its status as `waitpid` reports it.
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
  /// Queues the worker for `flushAll`, so that one system call writes many frames.
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
    } catch { lose(worker) }
  }
}

/// The messages to the thread of `WorkerSupervisor`, in the order of their arrival.
final class PoolMailbox: Sendable {
  enum Letter: Sendable {
    case submit(ActiveRun)
    case inspect(Inspection)
    case answer(run: UInt64, call: Int, HostCallAnswer)
    case cancel(run: UInt64)
    /// The worker sent bytes that are not an encoded value, so the worker cannot be trusted.
    case distrust(worker: UInt64)
    case setLockdown(WorkerPoolConfiguration.Lockdown)
    case report(@Sendable ([WorkerStatus]) -> Void)
    case shutDown(@Sendable () -> Void)
  }

  private struct State {
    var letters: [Letter] = []
    var isClosed = false
  }

  private let state: Mutex<State>
  /// The descriptor that becomes readable when the empty mailbox receives a letter. It is negative
  /// if the system refused a descriptor. The mailbox is then closed from the beginning.
  let descriptor: Int32
  /// The reason why the system refused a descriptor; nil if there is a descriptor.
  private let shortage: String?

  init(descriptor: Int32 = wake_descriptor()) {
    shortage = descriptor < 0 ? ResourceShortage.message(errno) : nil
    self.descriptor = descriptor
    state = Mutex(State(isClosed: descriptor < 0))
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// The failure of runs and inspections that end because the mailbox is closed.
  var refusal: Failure {
    guard let shortage else { return Failure(.cancelled, "fetchrun is shutting down") }
    return .withoutWorker(shortage)
  }

  /// Posts a letter; returns false, and drops the letter, if the mailbox is closed.
  @discardableResult
  func post(_ letter: Letter) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.letters.append(letter)
      return (true, state.letters.count == 1)
    }
    if isFirst { ring() }
    return isTaken
  }

  private func ring() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  func take() -> [Letter] {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    return state.withLock { state in
      var letters: [Letter] = []
      swap(&letters, &state.letters)
      return letters
    }
  }

  /// Closes the mailbox for further letters and returns the letters that have not been taken.
  func close() -> [Letter] {
    state.withLock { state in
      state.isClosed = true
      defer { state.letters = [] }
      return state.letters
    }
  }
}

extension Failure {
  /// Returns the failure of a run because the system lacks something that a worker needs.
  static func withoutWorker(_ shortage: String) -> Failure {
    Failure(.workerUnavailable, "no worker can be started: \(shortage)", retryable: true)
  }
}
