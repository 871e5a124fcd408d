package import FetchHost
package import FetchModel
import FetchSchedule
package import FetchStore
import FetchValues

/// The story of a run, written down once.
///
/// An object: every run and every hook is handed one, and as plain fields its copies filled the frames
/// of their async functions (measured: 20 KB for each run that waits).
package final class RunPipeline: Sendable {
  /// What differs between those who have runs carried out; see `with`.
  package struct Settings: Sendable {
    var policy: HTTPPolicy
    /// Called when a run has queued transfers, or when a job waits no longer for its user's word.
    var onTransfers: @Sendable () -> Void = {}
    /// Called when a run has written deliveries.
    var onDeliveries: @Sendable () -> Void = {}
    /// Whose budget hooks share; nil for a command without a config.
    var scheduled: ScheduledJobs?
    /// Hostnames that no request of a run or a hook is to disturb.
    package var leftAlone: (any LeftAlone)?
    /// Of all runs that are carried out.
    package var news = RunNews.all
    /// Whether files are left as they are, see `Rehearsal`.
    var isRehearsal = false
  }

  let store: SQLiteStore
  let workers: WorkerPool
  let http: any HTTPTransport
  let settings: Settings
  let time: RunTime
  package let files: JobFolders
  /// One run of a job at a time, of all pipelines that were made from one.
  private let turns: JobTurns
  private let slowRuns: SlowRuns
  let waits: RunWaits
  let holds: GrantHolds
  let hookGrants: HookGrants
  /// Who is told of runs.
  package let hooks: HookBook
  let secrets: SecretAccess
  let keeping: FailureKeeping
  /// What its user is told to type.
  package let followUp: FollowUp

  package init(
    store: SQLiteStore, workers: WorkerPool, http: any HTTPTransport, policy: HTTPPolicy,
    time: RunTime, secrets: SecretAccess = SecretAccess(reading: SecretSources(environment: [:])),
    keeping: FailureKeeping = FailureKeeping(count: 0), followUp: FollowUp = FollowUp()
  ) {
    self.store = store
    self.workers = workers
    self.http = http
    settings = Settings(policy: policy)
    self.time = time
    files = JobFolders(store: store.path)
    turns = JobTurns()
    slowRuns = SlowRuns(store: store, clock: time.clock)
    waits = RunWaits()
    holds = GrantHolds()
    hookGrants = HookGrants(store: store, followUp: followUp)
    hooks = HookBook()
    self.secrets = secrets
    self.keeping = keeping
    self.followUp = followUp
  }

  private init(_ other: RunPipeline, _ settings: Settings) {
    store = other.store
    workers = other.workers
    http = other.http
    self.settings = settings
    time = other.time
    files = other.files
    turns = other.turns
    slowRuns = other.slowRuns
    waits = other.waits
    holds = other.holds
    hookGrants = other.hookGrants
    hooks = other.hooks
    secrets = other.secrets
    keeping = other.keeping
    followUp = other.followUp
  }

  /// One with other settings, that shares all else with this one.
  package func with(_ change: (inout Settings) -> Void) -> RunPipeline {
    var settings = settings
    change(&settings)
    return RunPipeline(self, settings)
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
      store.abandon(job.name, run: record.run)
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
    let snapshot = try await store.openJob(
      job.name, run: record.run, plugin: job.plugin.name,
      noting: noting == .atOnce ? record : nil)
    if noting == .whenSlow { slowRuns.begin(record) }
    let decision = job.decision(by: snapshot.grant, now: record.startedAt)
    if holds.note(job, decision) { settings.onTransfers() }
    let job = job.granted(decision, snapshot.grant)
    let isRun = decision.isRun && job.plugin.loadFailure == nil
    let hooks = job.hooks.isEmpty || !isRun ? nil : await RunHooks(self, job, record)
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
    return await workers.run(workerRun(calls), calls: calls)
  }

  /// The function of a plugin that is told of ended transfers.
  static let transferEntry = "on_transfer"

  private func newRecord(of job: Job, trigger: RunTrigger) -> RunRecord {
    let now = time.now()
    return RunRecord(
      run: RunID(startedAt: now, random: (time.random(), time.random())), job: job.name,
      plugin: job.plugin.manifest.name, trigger: trigger,
      outcome: .failed(Failure(.abandoned, "the run did not end", retryable: true)),
      startedAt: now)
  }

  private func workerRun(_ calls: RunCalls) -> WorkerRun {
    let job = calls.job
    var run = WorkerRun(plugin: job.plugin.source, seed: calls.record.run.low)
    run.limits = job.limits
    run.extraGrant = ExtraGrant(
      job.grant, sources: job.secretSources, folder: files.path(of: job))
    run.isolation = job.isolation == .run ? .perRun : .shared
    run.arguments = arguments(job, calls.snapshot, calls.record)
    if let transfer = calls.transfer {
      run.entry = Self.transferEntry
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
    if time.standsStill { arguments.append("stands_still", true) }
    return arguments
  }
}
