import FetchHost
package import FetchModel
package import FetchStore
import FetchValues

/// A command's single run of a plugin, with the transfers and deliveries that follow it.
package struct SingleRun: Sendable {
  /// The hooks that the command line names, and the values that these hooks need.
  package struct Hooks: Sendable {
    package var configs: [HookConfig] = []
    package var lua = LuaHooks()
    /// The environment variables, some of which the commands of hooks receive: see
    /// `CommandEnvironment`.
    package var environment: [String: String] = [:]
    /// The function that receives the output of hook commands.
    package var commandOutput: @Sendable (ArraySlice<UInt8>) -> Void = { _ in }
    /// A phrase such as `a later run`, which names the run that sends the remaining deliveries.
    package var next = ""

    package init() {}
  }

  /// The results on which the command's exit status depends.
  package struct Result: Sendable {
    /// The requested run, then the runs that notified the plugin of ended transfers.
    package var records: [RunRecord]
    package var failedTransferCount = 0
  }

  private let pipeline: RunPipeline
  private let hooks: Hooks
  private let events: EventSink

  /// - Parameters:
  ///   - pipeline: contains the store, which `run` closes unless it throws an error.
  ///   - events: receives the events of the run, its transfers and its deliveries.
  package init(_ pipeline: RunPipeline, hooks: Hooks = Hooks(), events: EventSink) {
    self.pipeline = pipeline
    self.hooks = hooks
    self.events = events
  }

  /// Runs a job once. Returns when the job's transfers and the deliveries in the outbox have ended,
  /// or are left to another process.
  ///
  /// - Parameters:
  ///   - waitsForTransfers: whether the command carries out the job's transfers. Otherwise the
  ///     transfers stay queued.
  ///   - onProgress: receives the progress of transfers; nil if it is not shown.
  package func run(
    _ job: Job, waitsForTransfers: Bool, onProgress: TransferProgressHandler? = nil
  ) async throws(StoreError) -> Result {
    let (store, time) = (pipeline.services.store, pipeline.services.time)
    let gate = OpenGate(coolDowns: try await store.coolDowns(after: time.now()))
    let pipeline = pipeline.with { $0.cooldowns = gate }
    let job = hooks.lua.joined(to: job)
    if !hooks.configs.isEmpty { pipeline.hooks.set(hooks.configs, lua: hooks.lua) }
    let report = await pipeline.run(job, trigger: .manual, noting: .whenSlow)
    events.emit(.runEnded(report))
    try await store.forgetAbandoned(job.name)
    var result = Result(records: [report.record])
    if waitsForTransfers, try await store.hasOpenTransfers(of: job.name) {
      let tally = await carryOutTransfers(of: job, pipeline, gate, onProgress)
      result.records += tally.notified
      result.failedTransferCount = tally.failedTransferCount
    }
    if !hooks.configs.isEmpty { await deliver(job, pipeline) }
    await StoreUpkeep.finish(store, nil, time: time, events: events)
    try await store.close()
    return result
  }

  /// Carries out the transfers of this job, including those of earlier runs. The transfers of other
  /// jobs stay queued.
  private func carryOutTransfers(
    of job: Job, _ pipeline: RunPipeline, _ gate: OpenGate, _ onProgress: TransferProgressHandler?
  ) async -> RunTally {
    // A run that notifies the plugin usually has few items, so the report keeps all of them.
    let pipeline = pipeline.with { $0.news = .all }
    var setup = TransferService.Setup(
      pipeline: pipeline, engine: HTTPEngine(), gate: gate
    ) { name in
      name == job.name ? .ready(job) : .held
    }
    let tally = RunTally()
    setup.events = events.and(tally.sink)
    let transfers = TransferWait(TransferService(setup), onProgress: onProgress)
    let server = transfers.answerOthers()
    await transfers.wait()
    await server?.stop()
    return tally
  }

  private func deliver(_ job: Job, _ pipeline: RunPipeline) async {
    let sources =
      Array(job.secretSources.values)
      + pipeline.hooks.hooks(of: job.name, plugin: job.plugin.manifest.name).flatMap(
        \.sink.secretSources)
    let secretVariables = Set(sources.flatMap(\.variables))
    let sinks = HookSinks(
      pipeline: pipeline, environment: hooks.environment,
      secretVariables: { secretVariables },
      jobs: { name in name == job.name ? job : nil },
      commandOutput: hooks.commandOutput, events: events)
    await DeliveryWait(sinks.service(), next: hooks.next).wait()
  }
}
