import FetchHost
package import FetchModel
import FetchStore
package import FetchValues

/// The pipeline that runs a job, with all steps of a run in order.
///
/// This type is a class, like `RunServices`, because the fields of a struct would fill the frames
/// of async functions.
package final class RunPipeline: Sendable {
  package let services: RunServices
  /// The runs of each job that are under way or wait for their turn. All pipelines that `with`
  /// returns share these turns.
  private let turns: JobTurns
  private let lateJournal: LateJournal
  /// The hooks that receive the events of runs.
  package let hooks: HookRegistry
  let keeping: FailureKeeping

  package init(_ services: RunServices, keeping: FailureKeeping = FailureKeeping(count: 0)) {
    self.services = services
    turns = JobTurns()
    lateJournal = LateJournal(store: services.store, clock: services.time.clock)
    hooks = HookRegistry()
    self.keeping = keeping
  }

  private init(_ other: RunPipeline, _ services: RunServices) {
    self.services = services
    turns = other.turns
    lateJournal = other.lateJournal
    hooks = other.hooks
    keeping = other.keeping
  }

  /// Returns a pipeline with other settings. It shares everything else with this pipeline.
  package func with(_ change: (inout RunServices.Settings) -> Void) -> RunPipeline {
    RunPipeline(self, services.with(change))
  }

  /// Returns the wait of a job's run, and the time at which the wait began: see `JobTurns.wait`.
  /// Returns nil if there is no run, or if the run does not wait.
  package func wait(of job: JobName) -> (wait: RunWait, since: Timestamp)? {
    turns.wait(of: job, now: services.time.now())
  }

  /// Runs a job once. Never throws, since an error that ends the run becomes the run's outcome. The
  /// outcome is recorded if the store accepts it. If the task is cancelled while the plugin runs,
  /// the run ends as `failed(cancelled)`.
  ///
  /// The steps after the worker are in a closure, whose frame exists only during its call. A run
  /// that waits for its worker holds only the frame of this function. With a single frame, each run
  /// took 60 KB (measured).
  ///
  /// - Parameters:
  ///   - transfer: the ended transfer for which the plugin's `on_transfer` is called.
  ///   - settling: called once before the run is stored, unless the store has failed before. The
  ///     returned settlement is stored with the run.
  package func run(
    _ job: Job, trigger: RunTrigger, transfer: TransferRecord? = nil,
    noting: RunJournaling = .never,
    settling: RunSettling? = nil
  ) async -> RunReport {
    let isAside = if case .some = transfer { true } else { false }
    let turn = await turns.enter(job.name, isAside: isAside, now: services.time.now())
    defer { turns.leave(job.name, turn) }
    let record = newRecord(of: job, trigger: trigger)
    var begunAt = ContinuousClock.now
    let leased: LeasedJob
    do throws(StoreError) { leased = try await lease(job, record, transfer, noting) } catch {
      return Self.unopened(record, error)
    }
    defer { leased.journalEntry?.end() }
    let hooks = await runHooks(of: leased)
    if let hooks {
      await hooks.beforeRun()
      begunAt = .now
    }
    let session = RunSession(leased, hooks: hooks, begunAt: begunAt, of: self)
    turns.begin(turn, session.http.waits)
    let end: WorkerRunEnd =
      if let refusal = session.refusal {
        WorkerRunEnd(.failure(refusal))
      } else if await session.findNothingNew() {
        WorkerRunEnd(.success(WorkerProducts()))
      } else {
        await work(session)
      }
    let duration = begunAt.duration(to: .now)
    return await withTaskExecutorPreference(end.turn == nil ? nil : HostExecutor.large) {
      var result = session.result(of: end)
      if session.hooks != nil { result = await session.hooked(result) }
      let conclusion = RunConclusion(leased, session.work(end, duration))
      do throws(StoreError) {
        try await session.decide(conclusion, result, end.logs)
        let history = session.settle(conclusion, settling)
        conclusion.deliver(
          await session.deliveries(of: conclusion.commit, isEnd: true, history: history))
        try await session.commit(conclusion)
        return session.report(conclusion, end)
      } catch {
        conclusion.fail(error.failure)
        services.store.abandon(conclusion.commit.record)
        return session.report(conclusion, end, error)
      }
    }
  }

  private static func unopened(_ record: RunRecord, _ error: StoreError) -> RunReport {
    var record = record
    record.outcome = .failed(error.failure)
    var report = RunReport(record: record)
    report.storeError = error
    return report
  }

  /// Takes the job's lease and reads the user's grant.
  ///
  /// Inlined, its large values would be a part of the frame of `run` until the run ends.
  @inline(never) private func lease(
    _ job: Job, _ record: RunRecord, _ transfer: TransferRecord?, _ noting: RunJournaling
  ) async throws(StoreError) -> LeasedJob {
    let snapshot = try await services.store.openJob(
      job.name, run: record.run, plugin: job.plugin.name,
      noting: noting == .atOnce ? record : nil)
    let entry = noting == .whenSlow ? lateJournal.begin(record) : nil
    let decision = job.decision(by: snapshot.grant, now: record.startedAt)
    if services.grants.note(job, decision) { services.settings.onTransfers() }
    return LeasedJob(
      job.granted(decision, snapshot.grant), snapshot, record, transfer: transfer,
      decision: decision, journalEntry: entry)
  }

  /// Returns the hook files that take part in the run. Returns nil if there are none, or if the
  /// plugin does not load or may not run.
  private func runHooks(of leased: LeasedJob) async -> RunHooks? {
    let job = leased.job
    guard !job.hooks.isEmpty, leased.decision.isRun, job.plugin.loadFailure == nil else {
      return nil
    }
    return await RunHooks(services, job, leased.record)
  }

  private func work(_ session: RunSession) async -> WorkerRunEnd {
    await session.learnSecrets()
    return await services.workers.run(workerRun(session), calls: session)
  }

  private func newRecord(of job: Job, trigger: RunTrigger) -> RunRecord {
    let now = services.time.now()
    return RunRecord(
      run: RunID(startedAt: now, random: (services.time.random(), services.time.random())),
      job: job.name,
      plugin: job.plugin.manifest.name, trigger: trigger,
      outcome: .failed(Failure(.abandoned, "the run did not end", retryable: true)),
      startedAt: now)
  }

  private func workerRun(_ session: RunSession) -> WorkerRun {
    let (leased, job) = (session.leased, session.leased.job)
    var run = WorkerRun(plugin: job.plugin.source, seed: leased.record.run.low)
    run.limits = job.limits
    run.extraGrant = ExtraGrant(
      job.grant, sources: job.secretSources, folder: services.files.path(of: job))
    run.isolation = job.isolation == .run ? .perRun : .shared
    run.arguments = arguments(leased)
    if let transfer = leased.transfer {
      run.entry = Manifest.transferEntry
      run.arguments.append("ended_transfer", transfer.pluginValue)
    }
    run.elapsed = session.begunAt.duration(to: .now)
    run.waits = session.http.waits
    return run
  }

  /// Returns the arguments of the plugin's function, from which the worker makes `ctx`.
  private func arguments(_ leased: LeasedJob) -> ValueObject {
    let (job, record) = (leased.job, leased.record)
    var arguments = ValueObject([
      ("options", .object(job.options)),
      ("state", leased.snapshot.state ?? .object(ValueObject())),
      ("trigger", .string(record.trigger.rawValue)), ("job", .string(job.name.text)),
      ("run", .string(record.run.description)),
      ("now", .number(Double(record.startedAt.milliseconds) / 1000)),
    ])
    let asked = job.plugin.manifest.permissions.secrets
    if !asked.isEmpty {
      let given = asked.map { ($0.name, Value.bool(job.secretSources[$0.name] != nil)) }
      arguments.append("secrets", .object(ValueObject(given)))
    }
    if services.time.isFrozen { arguments.append("stands_still", true) }
    return arguments
  }
}
