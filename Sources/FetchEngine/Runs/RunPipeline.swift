import FetchHost
package import FetchModel
import FetchStore
import FetchValues

/// The story of a run, written down once.
///
/// An object, as `RunServices` is: its fields would fill the frames of the async functions.
package final class RunPipeline: Sendable {
  package let services: RunServices
  /// One run of a job at a time, of all pipelines that were made from one.
  private let turns: JobTurns
  private let slowRuns: SlowRuns
  let waits: RunWaits
  let holds: GrantHolds
  /// The hooks that are notified of runs.
  package let hooks: HookBook
  let keeping: FailureKeeping

  package init(_ services: RunServices, keeping: FailureKeeping = FailureKeeping(count: 0)) {
    self.services = services
    turns = JobTurns()
    slowRuns = SlowRuns(store: services.store, clock: services.time.clock)
    waits = RunWaits()
    holds = GrantHolds()
    hooks = HookBook()
    self.keeping = keeping
  }

  private init(_ other: RunPipeline, _ services: RunServices) {
    self.services = services
    turns = other.turns
    slowRuns = other.slowRuns
    waits = other.waits
    holds = other.holds
    hooks = other.hooks
    keeping = other.keeping
  }

  /// One with other settings, that shares all else with this one.
  package func with(_ change: (inout RunServices.Settings) -> Void) -> RunPipeline {
    RunPipeline(self, services.with(change))
  }

  /// Runs a job once. Never throws: whatever happens is an outcome, and is recorded where the store
  /// takes it. Cancelling the task ends the run as `failed(cancelled)`.
  ///
  /// - Parameters:
  ///   - transfer: the ended transfer that the plugin is to be told of, by its `on_transfer`.
  ///   - settling: asked once, unless the store is lost; what it answers is stored with the run.
  package func run(
    _ job: Job, trigger: RunTrigger, transfer: TransferRecord? = nil, noting: StartNote = .never,
    settling: RunSettling? = nil
  ) async -> RunReport {
    await turns.enter(job.name)
    defer { turns.leave(job.name) }
    let record = newRecord(of: job, trigger: trigger)
    // A commit that fails leaves the lease; after one that succeeds this does nothing.
    defer {
      services.store.abandon(job.name, run: record.run)
      if noting == .whenSlow { slowRuns.end(record.run) }
    }
    do throws(StoreError) {
      let calls = try await open(job, record, transfer, noting)
      waits.begin(job.name, calls.session.waits)
      defer { waits.end(job.name) }
      let end = await work(calls)
      guard end.turn != nil else { return await RunEnding(calls, end).report(settling: settling) }
      return await withTaskExecutorPreference(HostExecutor.large) {
        await RunEnding(calls, end).report(settling: settling)
      }
    } catch {
      return Self.unopened(record, error)
    }
  }

  private static func unopened(_ record: RunRecord, _ error: StoreError) -> RunReport {
    var record = record
    record.outcome = .failed(error.failure)
    var report = RunReport(record: record)
    report.storeError = error
    return report
  }

  /// Takes the job's lease and finds what it may do.
  private func open(
    _ job: Job, _ record: RunRecord, _ transfer: TransferRecord?, _ noting: StartNote
  ) async throws(StoreError) -> RunCalls {
    var begunAt = ContinuousClock.now
    let snapshot = try await services.store.openJob(
      job.name, run: record.run, plugin: job.plugin.name,
      noting: noting == .atOnce ? record : nil)
    if noting == .whenSlow { slowRuns.begin(record) }
    let decision = job.decision(by: snapshot.grant, now: record.startedAt)
    if holds.note(job, decision) { services.settings.onTransfers() }
    let job = job.granted(decision, snapshot.grant)
    let isRun = decision.isRun && job.plugin.loadFailure == nil
    let hooks = job.hooks.isEmpty || !isRun ? nil : await RunHooks(services, job, record)
    if let hooks {
      await hooks.beforeRun()
      // Their time is not the plugin's.
      begunAt = .now
    }
    return RunCalls(
      pipeline: self, job: job, snapshot: snapshot, record: record, transfer: transfer,
      hooks: hooks, decision: decision, begunAt: begunAt)
  }

  /// Has the plugin run, where it may and where there may be something new.
  private func work(_ calls: RunCalls) async -> WorkerRunEnd {
    if let refusal = calls.refusal { return WorkerRunEnd(.failure(refusal)) }
    if !calls.isOfTransfer, await calls.findNothingNew() {
      return WorkerRunEnd(.success(WorkerProducts()))
    }
    return await wake(calls)
  }

  private func wake(_ calls: RunCalls) async -> WorkerRunEnd {
    await calls.learnSecrets()
    return await services.workers.run(workerRun(calls), calls: calls)
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

  private func workerRun(_ calls: RunCalls) -> WorkerRun {
    let job = calls.job
    var run = WorkerRun(plugin: job.plugin.source, seed: calls.record.run.low)
    run.limits = job.limits
    run.extraGrant = ExtraGrant(
      job.grant, sources: job.secretSources, folder: services.files.path(of: job))
    run.isolation = job.isolation == .run ? .perRun : .shared
    run.arguments = arguments(job, calls.snapshot, calls.record)
    if let transfer = calls.transfer {
      run.entry = Manifest.transferEntry
      run.arguments.append("ended_transfer", transfer.pluginValue)
    }
    run.elapsed = calls.begunAt.duration(to: .now)
    run.waits = calls.session.waits
    return run
  }

  /// What the plugin finds in `ctx`.
  private func arguments(
    _ job: Job, _ snapshot: JobSnapshot, _ record: RunRecord
  ) -> ValueObject {
    var arguments = ValueObject([
      ("options", .object(job.options)), ("state", snapshot.state ?? .object(ValueObject())),
      ("trigger", .string(record.trigger.rawValue)), ("job", .string(job.name)),
      ("run", .string(record.run.description)),
      ("now", .number(Double(record.startedAt.milliseconds) / 1000)),
    ])
    let asked = job.plugin.manifest.permissions.secrets
    if !asked.isEmpty {
      let given = asked.map { ($0.name, Value.bool(job.secretSources[$0.name] != nil)) }
      arguments.append("secrets", .object(ValueObject(given)))
    }
    if services.time.standsStill { arguments.append("stands_still", true) }
    return arguments
  }
}
