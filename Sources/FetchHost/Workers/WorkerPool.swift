package import FetchModel
package import FetchValues
import Glibc
import Synchronization

/// The worker processes of this host and the runs in them.
///
/// Every call is safe from any thread. Runs with different plugin contents, secrets, private
/// addresses or files never share a process. If `busyWorkersMax` processes are busy, new runs start
/// only in these processes.
package final class WorkerPool: Sendable {
  private let mailbox = PoolMailbox()
  private let lastRunID = Atomic<UInt64>(0)
  package let largeResults = LargeResults()
  private let busyWorkersMax: Int
  private let workersMax: Int
  /// Starts the thread of the workers, or returns false if the system creates no thread. It is nil
  /// after the thread was started, and after a shutdown. The first run starts the thread, because a
  /// command whose sources have nothing new needs no worker.
  private let starter: Mutex<(@Sendable () -> Bool)?>

  package init(configuration: WorkerPoolConfiguration) {
    busyWorkersMax = configuration.busyWorkersMax
    workersMax = configuration.workersMax
    starter = Mutex { [mailbox] in
      guard mailbox.descriptor >= 0 else { return true }
      return DedicatedThread.startIfPossible("workers") {
        DedicatedThread.blockBrokenPipeSignal()
        WorkerSupervisor(configuration: configuration, mailbox: mailbox).serve()
      }
    }
  }

  deinit { mailbox.post(.shutDown {}) }

  /// Posts a letter about a run. Starts the thread if this is the first one. Returns the failure of
  /// the run if it cannot begin.
  private func post(_ letter: PoolMailbox.Letter) -> Failure? {
    let isStarted = starter.withLock { starter in
      guard let start = starter else { return true }
      guard start() else { return false }
      starter = nil
      return true
    }
    guard isStarted else { return .withoutWorker(DedicatedThread.refusal) }
    return mailbox.post(letter) ? nil : mailbox.refusal
  }

  /// Returns the plugin's table without its functions. The field `functions` of the table has the
  /// names of the functions. To create the table, a worker runs the file's top level, which has no
  /// effects.
  package func inspect(_ plugin: PluginSource) async -> Result<Value, Failure> {
    let bytes: Result<[UInt8], Failure> = await withCheckedContinuation { continuation in
      let inspection = Inspection(plugin: plugin) { continuation.resume(returning: $0) }
      if let failure = post(.inspect(inspection)) {
        continuation.resume(returning: .failure(failure))
      }
    }
    switch bytes {
    case .failure(let failure): return .failure(failure)
    case .success(let bytes):
      do { return .success(try Value(encoded: bytes)) } catch {
        return .failure(Self.unreadable(error))
      }
    }
  }

  /// Executes one run to its end. Cancelling the task ends the run as `failed` with `cancelled`.
  ///
  /// The window is the run's time limit. It begins when a worker receives the run, or earlier by
  /// `WorkerRun.elapsed`. It is suspended while the run waits to send requests, up to the limit in
  /// `WorkerRun.waits`. The worker must release the run within `RunLimits.windowGrace` after the
  /// end of the window.
  ///
  /// If the worker dies, the run is repeated if possible, but at most once if it may have caused
  /// the crash. Host calls that the repeated run makes again receive the same answers.
  ///
  /// A call of a Lua module that needs the host arrives at `calls`. The items that the plugin
  /// returns or emits are decoded and checked.
  package func run(_ run: WorkerRun, calls: any HostCallHandler) async -> WorkerRunEnd {
    let id = lastRunID.add(1, ordering: .relaxed).newValue
    let mailbox = mailbox
    let raw: RawRunEnd = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let active = ActiveRun(id: id, run: run, calls: calls) {
          continuation.resume(returning: $0)
        }
        if let failure = post(.submit(active)) {
          active.end(.failure(failure), usage: RunUsage())
        } else if Task.isCancelled {
          mailbox.post(.cancel(run: id))
        }
      }
    } onCancel: {
      mailbox.post(.cancel(run: id))
    }
    return await decode(raw, run)
  }

  /// Sets the lock-down that a worker needs from now on to receive its plugin. It replaces the
  /// lock-down in the configuration. Workers that already have a plugin are not checked again.
  package func setLockdown(_ lockdown: WorkerPoolConfiguration.Lockdown) {
    mailbox.post(.setLockdown(lockdown))
  }

  /// Returns the worker processes that are alive now.
  package func status() async -> [WorkerStatus] {
    if starter.withLock({ $0 != nil }) { return [] }
    return await withCheckedContinuation { continuation in
      if !mailbox.post(.report { continuation.resume(returning: $0) }) {
        continuation.resume(returning: [])
      }
    }
  }

  /// Returns the number of computing workers and `busyWorkersMax` if that limit is reached.
  /// Otherwise returns the number of workers that have runs and `workersMax` if that limit is
  /// reached. Returns nil if neither limit is reached.
  package func fullness() async -> (busyCount: Int, countMax: Int)? {
    let workers = await status()
    let busyCount = workers.count { $0.executingCount > 0 }
    if busyCount >= busyWorkersMax { return (busyCount, busyWorkersMax) }
    let usedCount = workers.count { $0.runCount > 0 }
    return usedCount >= workersMax ? (usedCount, workersMax) : nil
  }

  /// Starts a worker and returns how the kernel confines it on this machine.
  package func probeIsolation() async -> Result<IsolationReport, Failure> {
    let text = Array("return { fetch = function() end }".utf8)
    var probe = WorkerRun(
      plugin: PluginSource(name: "probe", fileName: "probe.lua", text: text), seed: 0)
    // With this isolation, no other run can use the worker of the probe.
    probe.isolation = .perRun
    let end = await run(probe, calls: RefusedCalls())
    if case .failure(let failure) = end.result { return .failure(failure) }
    return end.isolation.map { .success($0) } ?? .success(IsolationReport())
  }

  /// Ends all workers. Runs that are still under way end as `cancelled`. Returns when no process is
  /// left. If the pool is already shutting down, this function may return earlier.
  package func shutdown() async {
    // The mailbox is closed under the lock, so that no run is posted to a thread that never starts.
    let isUnused = starter.withLock { starter in
      guard starter != nil else { return false }
      starter = nil
      _ = mailbox.close()
      return true
    }
    if isUnused { return }
    await withCheckedContinuation { continuation in
      if !mailbox.post(.shutDown { continuation.resume() }) { continuation.resume() }
    }
  }

  private func decode(_ raw: RawRunEnd, _ run: WorkerRun) async -> WorkerRunEnd {
    let weight = (try? raw.result.get())?.weight ?? 0
    guard weight > LargeResults.weightMin else { return decoded(raw, run.limits) }
    let turn = run.isPartOfRun ? nil : await largeResults.turn(weight: weight)
    var end = await withTaskExecutorPreference(HostExecutor.large) { decoded(raw, run.limits) }
    end.turn = turn
    return end
  }

  private func decoded(_ raw: RawRunEnd, _ limits: RunLimits) -> WorkerRunEnd {
    var end = WorkerRunEnd(raw.result.flatMap { decode($0, limits, worker: raw.worker) })
    end.usage = raw.usage
    end.logs = raw.logs
    end.isolation = raw.isolation
    return end
  }

  private func decode(
    _ raw: RawProducts, _ limits: RunLimits, worker: UInt64?
  ) -> Result<WorkerProducts, Failure> {
    do throws(ItemDecoder.Problem) {
      return .success(try ItemDecoder.products(raw, limits))
    } catch {
      switch error {
      case .failure(let failure): return .failure(failure)
      case .malformed(let error):
        if let worker { mailbox.post(.distrust(worker: worker)) }
        return .failure(Self.unreadable(error))
      }
    }
  }

  private static func unreadable(_ error: ValueError) -> Failure {
    Failure(.workerCrashed, "the worker process sent invalid data: \(error)")
  }
}

private struct RefusedCalls: HostCallHandler {
  func answer(_ call: HostCall) async -> HostCallAnswer {
    .raises("this run cannot make host calls")
  }
}

/// The configuration of a worker pool: the program of the workers, the limits of the workers in
/// number and time, and the required lock-down.
package struct WorkerPoolConfiguration: Sendable {
  package enum Lockdown: Sendable {
    /// Runs are allowed even if the kernel refuses a part of the lock-down. Reports mention the
    /// refused part.
    case prefer
    /// No plugin text reaches a worker without the system call filter.
    case require
  }

  /// The path of the worker program.
  package var executable: String
  /// The number of busy workers at which new runs wait, unless a busy worker can take them. Workers
  /// whose runs all wait for the host are not busy. They continue when their answers arrive, so a
  /// larger number of workers may then compute.
  package var busyWorkersMax = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// The maximum number of worker processes at the same time. A killed process that has not ended
  /// yet does not count.
  package var workersMax = 64
  /// The maximum number of concurrent runs in one worker. All of them may have to be repeated after
  /// a crash.
  package var runsPerWorkerMax = 256
  /// The number of runs after which a worker is replaced, in case a library leaks memory.
  package var runsBeforeRetirement = 20_000
  /// The time for which an idle worker is kept for the next run of its plugin.
  package var idleTimeout: Duration = .seconds(60)
  /// The time limit from the start of a worker process until its plugin is loaded.
  package var startTimeout: Duration = .seconds(10)
  /// The resident memory that each worker may have for its program, its buffers, and the documents
  /// and texts that library functions keep outside of Lua, in bytes. Four times the memory limits of
  /// its runs are added.
  package var memoryBytesBase = WorkerAccount.memoryBytesBaseUsual
  package var lockdown = Lockdown.require
  /// The standard error of the workers, to which the Swift runtime writes when a worker crashes;
  /// nil to discard this output.
  package var errorDescriptor: Int32?

  package init(executable: String) { self.executable = executable }
}

/// An entry in the queue for workers. Waiting entries with the same needs keep their order. An
/// entry may pass an earlier entry that needs a new process, so that a plugin with many runs cannot
/// block another plugin.
enum WorkerQueueEntry {
  case run(ActiveRun)
  case inspection(Inspection)

  func isRun(_ id: UInt64) -> Bool { if case .run(let run) = self { run.id == id } else { false } }
}

/// The current state of one worker process in the pool.
package struct WorkerStatus: Equatable, Sendable {
  package let process: Int32
  package let plugin: String
  /// The number of runs in the worker, including waiting runs.
  package let runCount: Int
  /// The number of runs in the worker that do not wait for the host.
  package let executingCount: Int
  /// The isolation that the worker has reported; nil before the report.
  package let isolation: IsolationReport?
}
