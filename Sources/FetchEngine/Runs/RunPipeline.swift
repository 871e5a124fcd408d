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

  package init(
    store: SQLiteStore, workers: WorkerPool, http: any HTTPTransport, policy: HTTPPolicy,
    time: RunTime
  ) {
    self.store = store
    self.workers = workers
    self.http = http
    self.policy = policy
    self.time = time
    files = JobFolders(store: store.path)
  }

  /// Runs a job once. Never throws: whatever happens is an outcome, and is recorded where the store
  /// takes it. Cancelling the task ends the run as `failed(cancelled)`.
  ///
  /// - Parameters:
  ///   - notesStart: whether the run is written down before it begins, so that a crash is seen.
  ///   - settling: asked once, unless the store is lost; what it answers is stored with the run.
  package func run(
    _ job: Job, trigger: RunTrigger, notesStart: Bool = false, settling: RunSettling? = nil
  ) async -> RunReport {
    var record = newRecord(of: job, trigger: trigger)
    let begunAt = ContinuousClock.now
    let snapshot: JobSnapshot
    do {
      snapshot = try await store.openJob(
        job.name, run: record.run, noting: notesStart ? record : nil)
    } catch {
      store.abandon(job.name, run: record.run)
      record.outcome = .failed(error.failure)
      return RunReport(record: record)
    }
    // A commit that fails leaves the lease; after one that succeeds this does nothing.
    defer { store.abandon(job.name, run: record.run) }
    let calls = RunCalls(pipeline: self, job: job, snapshot: snapshot, record: record)
    let end: WorkerRunEnd
    if await calls.findNothingNew() {
      end = WorkerRunEnd(.success(WorkerProducts()))
    } else {
      var run = workerRun(job, snapshot, record)
      run.elapsed = begunAt.duration(to: .now)
      end = await workers.run(run, calls: calls)
    }
    var report = await calls.finish(
      end, duration: begunAt.duration(to: .now), settling: settling)
    report.logs = end.logs
    return report
  }

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
    run.arguments = ValueObject([
      ("options", .object(job.options)), ("state", snapshot.state ?? .object(ValueObject())),
      ("trigger", .string(record.trigger.rawValue)), ("job", .string(job.name)),
      ("run", .string(record.run.description)),
      ("now", .number(Double(record.startedAt.milliseconds) / 1000)),
    ])
    if time.standsStill { run.arguments.append("stands_still", true) }
    return run
  }
}
