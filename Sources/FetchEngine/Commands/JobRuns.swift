package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
import FetchValues

/// A command's runs of a config's jobs, at most one of each, and all that the command waits for
/// before it ends: their transfers, then the deliveries of the config's hooks.
package struct JobRuns: Sendable {
  /// A job that could not start within this time is left to another process.
  private static let patience: Duration = .seconds(60)

  private let service: JobService
  private let config: Config
  private let prepared: [PreparedJob]
  private let onlyDue: Bool
  private let local: ZoneOffsets
  private let store: any Store
  private let time: RunTime
  private let events: EventSink
  private let tally = RunTally()

  /// - Parameters:
  ///   - prepared: the jobs, including disabled ones that the user has named.
  ///   - hooks: the hook files of the config.
  ///   - pipeline: has the store, which `close` closes.
  ///   - onlyDue: whether only due jobs run.
  ///   - local: the time zone of times in the config.
  ///   - environment: the environment from which commands of hooks get a part: see
  ///     `CommandEnvironment`.
  ///   - events: receives the runs and transfers as they end, and problems beside them.
  package init(
    _ config: Config, _ prepared: [PreparedJob], hooks: LuaHooks, pipeline: RunPipeline,
    onlyDue: Bool, local: ZoneOffsets, environment: [String: String], events: EventSink
  ) async throws(StoreError) {
    self.config = config
    self.prepared = prepared
    self.onlyDue = onlyDue
    self.local = local
    self.events = events
    store = pipeline.services.store
    time = pipeline.services.time
    service = try await JobService(
      config, pipeline: pipeline, noting: .whenSlow, runsOnce: true, plansAhead: onlyDue,
      local: local, environment: environment, luaHooks: hooks, events: events.and(tally.sink))
    var enabled = prepared
    // A disabled job runs if it is named.
    for index in enabled.indices { enabled[index].config.isEnabled = true }
    try await service.load(
      enabled, local: local, abandoned: try await store.recover().abandonedJobs)
  }

  /// The number of transfers that failed permanently.
  package var failedTransferCount: Int { tally.failedTransferCount }

  /// Runs the jobs. Returns when nothing is left that the command waits for.
  ///
  /// - Parameters:
  ///   - waitsForTransfers: whether downloads are carried out; otherwise they stay queued.
  ///   - onProgress: receives the progress of transfers; nil if it is not shown.
  ///   - tell: receives the reasons for jobs that do not run, and the number of jobs that may run;
  ///     0 if none does.
  ///   - runsEnded: called when the runs have ended, before the rest is awaited.
  package func run(
    waitsForTransfers: Bool, onProgress: TransferProgressHandler?, tell: (RunAnswer) -> Void,
    runsEnded: () -> Void
  ) async {
    let transfers =
      waitsForTransfers ? TransferWait(service.transfers, onProgress: onProgress) : nil
    // They begin while other runs continue, and end when nothing is left to wait for.
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

  /// Saves the costs, applies retention and closes the store.
  package func close() async throws(StoreError) {
    await service.keepSpending()
    await StoreUpkeep.finish(store, config.keep, time: time, events: events)
    try await store.close()
  }

  private func runJobs(_ tell: (RunAnswer) -> Void) async {
    let names = prepared.map(\.job.name)
    var left = Set(names.map(ExactText.init))
    if onlyDue {
      await service.keepPlanned()
      service.jobs.keepDue(now: service.now())
      left = service.jobs.look { scheduler in left.filter { scheduler.isToRun($0.text) } }
    } else {
      for name in names {
        let answer = service.jobs.trigger(name, .manual, now: service.now())
        guard case .skipped(let reason) = answer else { continue }
        tell(.refused(job: name, why: reason.sentence))
        left.remove(ExactText(name))
      }
    }
    tell(.awaited(left.isEmpty ? 0 : service.jobs.look(\.count)))
    await service.loop.run(until: .idle(patience: Self.patience))
    left.subtract(tally.records.map { ExactText($0.job) })
    for name in names where left.contains(ExactText(name)) {
      tell(.notRun(job: name, why: reasonNotRun(name)))
    }
  }

  private func reasonNotRun(_ name: String) -> String {
    if Task.isCancelled { return "the command was interrupted" }
    let now = service.now()
    let sentence = service.jobs.look { scheduler in
      scheduler.number(of: name).map { scheduler.waitReason($0, now: now).sentence(now: now) }
    }
    return sentence ?? "it is gone"
  }

  /// Delivers the events of the runs, and notifies hooks of jobs that are stale after them.
  private func deliver() async {
    if !Task.isCancelled { await service.tellStale(prepared, config, local: local) }
    await DeliveryWait(service.deliveries, next: "another time").wait()
  }
}

extension Scheduler {
  /// Whether the job exists and is not paused.
  fileprivate func isToRun(_ name: String) -> Bool {
    guard pausedSince == nil, let number = number(of: name) else { return false }
    return schedule(of: number).pausedAt == nil
  }
}
