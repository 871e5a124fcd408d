package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
import FetchValues
import Synchronization

/// The runs of a config's jobs in one command, with the transfers and deliveries that follow. Each
/// job runs at most once, apart from runs that notify its plugin of an ended transfer.
package struct JobRuns: Sendable {
  /// The longest wait for the start of the next job. The command leaves jobs that start later to
  /// another process.
  private static let patience: Duration = .seconds(60)

  private let service: JobService
  private let config: Config
  private let prepared: [Job]
  private let onlyDue: Bool
  private let areNamed: Bool
  private let local: ZoneOffsets
  private let store: any Store
  private let time: RunTime
  private let events: EventSink
  private let tally = RunTally()

  /// - Parameters:
  ///   - prepared: the jobs, including disabled ones that the user has named.
  ///   - hooks: the hook files of the config.
  ///   - pipeline: contains the store. `close` closes this store.
  ///   - onlyDue: whether only due jobs run.
  ///   - areNamed: whether the user has named the jobs. Disabled jobs then run too. With `onlyDue`,
  ///     `run` then also reports the paused jobs as refused, and the others that do not run as not
  ///     due.
  ///   - local: the time zone of jobs without the key `zone`.
  ///   - environment: the environment variables, some of which the commands of hooks receive: see
  ///     `CommandEnvironment`.
  ///   - events: receives the events of the runs, transfers and deliveries.
  package init(
    _ config: Config, _ prepared: [Job], hooks: LuaHooks, pipeline: RunPipeline,
    onlyDue: Bool, areNamed: Bool = false, local: ZoneOffsets, environment: [String: String],
    events: EventSink
  ) async throws(StoreError) {
    self.config = config
    self.prepared = prepared
    self.onlyDue = onlyDue
    self.areNamed = areNamed
    self.local = local
    self.events = events
    store = pipeline.services.store
    time = pipeline.services.time
    service = try await JobService(
      config, pipeline: pipeline, noting: .whenSlow, runsOnce: true, plansAhead: onlyDue,
      local: local, environment: environment, luaHooks: hooks, events: events.and(tally.sink))
    var enabled = prepared
    if areNamed {
      for index in enabled.indices { enabled[index].config?.isEnabled = true }
    }
    try await service.load(
      enabled, local: local, abandoned: try await store.recover().abandonedJobs)
  }

  /// The number of transfers that failed permanently or were cancelled.
  package var failedTransferCount: Int { tally.failedTransferCount }

  /// Runs the jobs. Returns when the transfers and deliveries have ended or are left to another
  /// process.
  ///
  /// - Parameters:
  ///   - waitsForTransfers: whether the command carries out the transfers. Otherwise the
  ///     transfers stay queued.
  ///   - onProgress: receives the progress of transfers; nil if it is not shown.
  ///   - tell: receives the number of expected runs. Also receives the reason for each job that is
  ///     refused or not due, or that was expected but does not run.
  ///   - runsEnded: called when the runs have ended, before the wait for transfers and deliveries.
  package func run(
    waitsForTransfers: Bool, onProgress: TransferProgressHandler?, tell: (RunAnswer) -> Void,
    runsEnded: () -> Void
  ) async {
    let transfers =
      waitsForTransfers ? TransferWait(service.transfers, onProgress: onProgress) : nil
    // Transfers may begin while some runs are still under way. The call of `setEnding` below
    // determines when the wait ends.
    async let waiting: Void? = transfers?.wait(until: .stopped)
    await runJobs(tell)
    runsEnded()
    service.transfers.setEnding(.idle(patience: TransferWait.patience))
    let isLeft = service.transfers.progress.pendingCount > 0
    let server = isLeft ? transfers?.answerOthers() : nil
    await waiting
    await server?.stop()
    if !config.allHooks.isEmpty { await deliver() }
  }

  /// Saves the costs of transfers and hooks, applies retention if it is due, and closes the store.
  package func close() async throws(StoreError) {
    await service.keepSpending()
    await StoreUpkeep.finish(store, config.keep, time: time, events: events)
    try await store.close()
  }

  private func runJobs(_ tell: (RunAnswer) -> Void) async {
    let names = prepared.map(\.name)
    var left = Set(names)
    if onlyDue {
      await service.keepPlanned()
      let now = service.now()
      for name in names where areNamed {
        if let why = service.jobs.pauseSentence(name, now: now) {
          tell(.refused(job: name.text, why: why))
        } else if let why = service.jobs.notDueSentence(name, now: now) {
          tell(.notDue(job: name.text, why: why))
        }
      }
      service.jobs.keepDue(now: now)
      left = service.jobs.look { scheduler in left.filter { scheduler.isToRun($0) } }
    } else {
      for name in names {
        let answer = service.jobs.trigger(name, .manual, now: service.now())
        guard case .skipped(let reason) = answer else { continue }
        tell(.refused(job: name.text, why: reason.sentence))
        left.remove(name)
      }
    }
    tell(.awaited(left.count))
    await service.loop.run(until: .idle(patience: Self.patience))
    left.subtract(tally.records.map(\.job))
    for name in names where left.contains(name) {
      tell(.notRun(job: name.text, why: reasonNotRun(name)))
    }
  }

  private func reasonNotRun(_ name: JobName) -> String {
    if Task.isCancelled { return "the command was interrupted" }
    let now = service.now()
    let sentence = service.jobs.look { scheduler in
      scheduler.number(of: name).map { scheduler.waitReason($0, now: now).sentence(now: now) }
    }
    return sentence ?? "the job was removed"
  }

  /// Notifies hooks about jobs that are stale after the runs, then sends the deliveries in the
  /// outbox. If the task is cancelled, there are no notifications about stale jobs.
  private func deliver() async {
    if !Task.isCancelled { await service.tellStale(prepared, config, local: local) }
    await DeliveryWait(service.deliveries, next: "a later run").wait()
  }
}

extension Scheduler {
  /// Whether the job exists, and neither the job nor the whole scheduler is paused.
  fileprivate func isToRun(_ name: JobName) -> Bool {
    number(of: name).map { pauseReason($0) == nil } ?? false
  }
}

/// The runs that ended while a command waited for them, and the number of transfers that failed.
final class RunTally: Sendable {
  private struct State {
    var records: [RunRecord] = []
    var notified: [RunRecord] = []
    var failedTransferCount = 0
  }

  private let state = Mutex(State())

  /// The runs in the order in which they ended, without the runs in `notified`.
  var records: [RunRecord] { state.withLock { $0.records } }

  /// The runs that notified plugins of ended transfers.
  var notified: [RunRecord] { state.withLock { $0.notified } }

  var failedTransferCount: Int { state.withLock { $0.failedTransferCount } }

  var sink: EventSink { EventSink { self.note($0) } }

  private func note(_ event: Event) {
    state.withLock { state in
      switch event {
      case .runEnded(let report) where report.record.trigger == .transfer:
        state.notified.append(report.record)
      case .runEnded(let report): state.records.append(report.record)
      case .transferEnded(let record) where record.state == .failed:
        state.failedTransferCount += 1
      default: break
      }
    }
  }
}
