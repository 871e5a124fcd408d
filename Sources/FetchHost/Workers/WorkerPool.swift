package import FetchModel
package import FetchValues
import Glibc
package import Logging
import Synchronization

/// The worker processes of this host and the runs in them.
///
/// Every call is safe from anywhere. Runs of different plugin contents, or with different secrets,
/// private addresses or files, never share a process; at most `busyWorkersMax` processes compute at
/// the same time; who waits is served in order, and passes only those who wait for a process where it
/// has a place in one.
package final class WorkerPool: Sendable {
  private let mailbox = PoolMailbox()
  private let lastRunID = Atomic<UInt64>(0)
  package let largeResults = LargeResults()
  /// See `WorkerPoolConfiguration`.
  private let busyWorkersMax: Int
  private let workersMax: Int

  package init(
    configuration: WorkerPoolConfiguration,
    logger: Logger = Logger(label: "fetchrun.workers")
  ) {
    busyWorkersMax = configuration.busyWorkersMax
    workersMax = configuration.workersMax
    let supervisor = WorkerSupervisor(
      configuration: configuration, mailbox: mailbox, logger: logger)
    DedicatedThread.start("workers") {
      DedicatedThread.blockBrokenPipeSignal()
      supervisor.serve()
    }
  }

  deinit { mailbox.post(.shutDown {}) }

  /// The plugin's table, with functions left out and their names in `functions`. Runs the file's
  /// top level, which has no effects, in a worker that is then kept for runs of this plugin.
  package func inspect(_ plugin: PluginSource) async -> Result<Value, Failure> {
    let mailbox = mailbox
    let bytes: Result<[UInt8], Failure> = await withCheckedContinuation { continuation in
      let inspection = Inspection(plugin: plugin) { continuation.resume(returning: $0) }
      if !mailbox.post(.inspect(inspection)) {
        continuation.resume(returning: .failure(Self.shutDownFailure))
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
  /// The answer is there at the latest `RunLimits.windowGrace` after the window, which begins when
  /// the run is given to a worker and stands still while the run waits for its turn, for no longer
  /// than `RunLimits.waiting`. A run whose worker dies by no fault of its own is repeated, and
  /// the calls it made already are answered as before.
  package func run(_ run: WorkerRun, calls: any HostCallHandler) async -> WorkerRunEnd {
    let id = lastRunID.add(1, ordering: .relaxed).newValue
    let mailbox = mailbox
    let raw: RawRunEnd = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let active = ActiveRun(id: id, run: run, calls: calls) {
          continuation.resume(returning: $0)
        }
        if !mailbox.post(.submit(active)) {
          active.end(.failure(Self.shutDownFailure), usage: RunUsage())
        } else if Task.isCancelled {
          mailbox.post(.cancel(run: id))
        }
      }
    } onCancel: {
      mailbox.post(.cancel(run: id))
    }
    return await decode(raw, run)
  }

  /// What workers must be held to from now on, in place of the configuration's word.
  package func setLockdown(_ lockdown: WorkerPoolConfiguration.Lockdown) {
    mailbox.post(.setLockdown(lockdown))
  }

  /// The worker processes alive now.
  package func status() async -> [WorkerStatus] {
    let mailbox = mailbox
    return await withCheckedContinuation { continuation in
      if !mailbox.post(.report { continuation.resume(returning: $0) }) {
        continuation.resume(returning: [])
      }
    }
  }

  /// How many workers are busy, of how many at most, where that keeps a run from getting one: as many
  /// compute, or have runs, as may. Nil where a run can get one.
  package func fullness() async -> (busyCount: Int, countMax: Int)? {
    let workers = await status()
    let busyCount = workers.count { $0.executingCount > 0 }
    if busyCount >= busyWorkersMax { return (busyCount, busyWorkersMax) }
    let usedCount = workers.count { $0.runCount > 0 }
    return usedCount >= workersMax ? (usedCount, workersMax) : nil
  }

  /// What the kernel holds workers to on this machine, found by starting one.
  package func probeIsolation() async -> Result<IsolationReport, Failure> {
    let text = Array("return { fetch = function() end }".utf8)
    var probe = WorkerRun(
      plugin: PluginSource(name: "probe", fileName: "probe.lua", text: text), seed: 0)
    // Nobody else has a use for that worker.
    probe.isolation = .perRun
    let end = await run(probe, calls: RefusedCalls())
    if case .failure(let failure) = end.result { return .failure(failure) }
    return end.isolation.map { .success($0) } ?? .success(IsolationReport())
  }

  /// Ends all workers; runs still in flight end as `cancelled`. Returns when no process is left.
  package func shutdown() async {
    let mailbox = mailbox
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
    Failure(.workerCrashed, "the worker process sent what cannot be read: \(error)")
  }

  private static let shutDownFailure = Failure(
    .cancelled, "the run was cancelled: fetchrun is shutting down")
}

private struct RefusedCalls: HostCallHandler {
  func answer(_ call: HostCall) async -> HostCallAnswer { .raises("there is no host to call") }
}

/// How many worker processes there are, and for how long.
package struct WorkerPoolConfiguration: Sendable {
  package enum Lockdown: Sendable {
    /// Runs go on where the kernel refuses a part of the lock-down; reports say so.
    case prefer
    /// No plugin text reaches a worker without the system call filter.
    case require
  }

  /// The worker program.
  package var executable: String
  /// Workers that compute at the same time; those that wait for the host do not count.
  package var busyWorkersMax = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Worker processes alive at the same time.
  package var workersMax = 64
  /// Runs in one worker at the same time: what a crash makes the host repeat.
  package var runsPerWorkerMax = 256
  /// After this many runs a worker is replaced, should a library leak.
  package var runsBeforeRetirement = 20_000
  /// An idle worker is kept this long for the next run of its plugin.
  package var idleTimeout: Duration = .seconds(60)
  /// From the start of the process until its plugin is loaded.
  package var startTimeout: Duration = .seconds(10)
  package var lockdown = Lockdown.require
  /// Where workers write what the Swift runtime says when they crash; nil: nowhere.
  package var errorDescriptor: Int32?

  package init(executable: String) { self.executable = executable }
}
