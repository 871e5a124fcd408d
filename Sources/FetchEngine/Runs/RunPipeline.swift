package import FetchHost
package import FetchModel
package import FetchStore

/// The story of a run, written down once.
package struct RunPipeline: Sendable {
  let store: SQLiteStore
  let workers: WorkerPool
  let http: any HTTPTransport
  var policy: HTTPPolicy
  let time: RunTime
  package let files: JobFolders
  /// One run of a job at a time, of all pipelines that were copied from one.
  private let turns = JobTurns()
  let holds = GrantHolds()
  let hookGrants: HookGrants
  /// Called when a run has queued transfers, or when a job waits no longer for its user's word.
  var onTransfers: @Sendable () -> Void = {}
  /// Called when a run has written deliveries.
  var onDeliveries: @Sendable () -> Void = {}
  /// Whose budget hooks share; nil for a command without a config.
  var scheduled: ScheduledJobs?
  /// Hostnames that no request of a run or a hook is to disturb.
  package var leftAlone: (any LeftAlone)?
  /// Who is told of runs.
  package let hooks = HookBook()
  let secrets: SecretAccess
  let keeping: FailureKeeping
  /// What its user is told to type.
  package let followUp: FollowUp
  /// Of all runs that it carries out.
  package var news = RunNews.all

  package init(
    store: SQLiteStore, workers: WorkerPool, http: any HTTPTransport, policy: HTTPPolicy,
    time: RunTime, secrets: SecretAccess = SecretAccess(reading: SecretSources(environment: [:])),
    keeping: FailureKeeping = FailureKeeping(count: 0), followUp: FollowUp = FollowUp()
  ) {
    self.store = store
    self.workers = workers
    self.http = http
    self.policy = policy
    self.time = time
    files = JobFolders(store: store.path)
    hookGrants = HookGrants(store: store, followUp: followUp)
    self.secrets = secrets
    self.keeping = keeping
    self.followUp = followUp
  }

  /// Runs a job once. Never throws: whatever happens is an outcome, and is recorded where the store
  /// takes it. Cancelling the task ends the run as `failed(cancelled)`.
  ///
  /// - Parameters:
  ///   - notesStart: whether the run is written down before it begins, so that a crash is seen.
  ///   - transfer: the ended transfer that the plugin is to be told of, by its `on_transfer`.
  ///   - settling: asked once, unless the store is lost; what it answers is stored with the run.
  package func run(
    _ job: Job, trigger: RunTrigger, transfer: TransferRecord? = nil, notesStart: Bool = false,
    settling: RunSettling? = nil
  ) async -> RunReport {
    await turns.enter(job.name)
    defer { turns.leave(job.name) }
    var record = newRecord(of: job, trigger: trigger)
    var begunAt = ContinuousClock.now
    let snapshot: JobSnapshot
    do {
      snapshot = try await store.openJob(
        job.name, run: record.run, plugin: job.plugin.name, noting: notesStart ? record : nil)
    } catch {
      store.abandon(job.name, run: record.run)
      record.outcome = .failed(error.failure)
      return RunReport(record: record)
    }
    // A commit that fails leaves the lease; after one that succeeds this does nothing.
    defer { store.abandon(job.name, run: record.run) }
    let decision = job.decision(by: snapshot.grant, now: record.startedAt)
    if holds.note(job, decision) { onTransfers() }
    let job = job.granted(decision, snapshot.grant)
    let hooks = job.hooks.isEmpty || !decision.isRun ? nil : await RunHooks(self, job, record)
    if let hooks {
      await hooks.beforeRun()
      // Their time is not the plugin's.
      begunAt = .now
    }
    let calls = RunCalls(
      pipeline: self, job: job, snapshot: snapshot, record: record, transfer: transfer,
      hooks: hooks, decision: decision)
    let end: WorkerRunEnd
    if let refusal = decision.failure(
      of: .job(job.name), file: job.plugin.path, followUp: followUp)
    {
      end = WorkerRunEnd(.failure(refusal))
    } else if transfer == nil, await calls.findNothingNew() {
      end = WorkerRunEnd(.success(WorkerProducts()))
    } else {
      await calls.learnSecrets()
      var run = workerRun(job, snapshot, record)
      if let transfer {
        run.entry = Self.transferEntry
        run.arguments.append("ended_transfer", transfer.pluginValue)
      }
      run.elapsed = begunAt.duration(to: .now)
      end = await workers.run(run, calls: calls)
    }
    var report = await calls.finish(
      end, duration: begunAt.duration(to: .now), settling: settling)
    report.logs = calls.logs(end.logs)
    return report
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

  private func workerRun(
    _ job: Job, _ snapshot: JobSnapshot, _ record: RunRecord
  ) -> WorkerRun {
    var run = WorkerRun(plugin: job.plugin.source, seed: record.run.low)
    run.limits = job.limits
    run.isolation = job.isolation == .run ? .perRun : .shared
    run.arguments = arguments(job, snapshot, record)
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
