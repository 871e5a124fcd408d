import FetchHost
import FetchModel
import FetchStore

/// A job as a recording describes it, on a store of its own that begins empty: the same pipeline and
/// the same worker processes as every run, with time and chance as recorded.
struct CaseBench: Sendable {
  private let recording: Recording
  private let job: Job
  private let workers: WorkerPool
  private let policy: HTTPPolicy
  private let store: SQLiteStore
  private let chance: SeededChance
  private let folder: ScratchFolder

  init(
    _ recording: Recording, _ plugin: Plugin, _ workers: WorkerPool, _ policy: HTTPPolicy
  ) async throws {
    self.recording = recording
    self.workers = workers
    self.policy = policy
    job = try Self.job(recording, plugin)
    let run = recording.run
    chance = SeededChance(
      seed: run?.low ?? 0, first: run.map { [$0.high, $0.low] } ?? [])
    folder = try ScratchFolder()
    store = try await SQLiteStore.open(at: folder.path + "/store.sqlite")
    try await remember()
  }

  private static func job(
    _ recording: Recording, _ plugin: Plugin
  ) throws(OptionProblems) -> Job {
    var definition = JobDefinition(
      plugin: plugin.path, name: recording.job ?? plugin.manifest.name,
      options: recording.options.members.map { .value(name: $0.key, value: $0.value) })
    definition.allowsPrivate = recording.allowsPrivate
    definition.hosts = recording.hosts
    definition.limits = recording.limits
    return try definition.job(with: plugin)
  }

  /// Stores what the job knew before, by a run that came to nothing.
  private func remember() async throws {
    if recording.state == nil && recording.validators.isEmpty { return }
    let id = RunID(startedAt: recording.now, random: (0, 0))
    let failure = Failure(.abandoned, "what was there before")
    var commit = RunCommit(
      record: RunRecord(
        run: id, job: job.name, plugin: job.plugin.manifest.name, trigger: recording.trigger,
        outcome: .failed(failure), startedAt: recording.now))
    commit.state = recording.state
    commit.validators = recording.validators.mapValues { known in
      var known = known
      known.reading = job.reading
      return known
    }
    _ = try await store.openJob(job.name, run: id)
    _ = try await store.commit(commit)
  }

  func run(
    at now: Timestamp, over transport: any HTTPTransport, clock: any Clock<Duration>
  ) async -> RunReport {
    var time = RunTime(now: { now }, random: { [chance] in chance.next() })
    time.clock = clock
    time.standsStill = true
    let pipeline = RunPipeline(
      store: store, workers: workers, http: transport, policy: policy, time: time)
    return await pipeline.run(job, trigger: recording.trigger)
  }

  func close() async { try? await store.close() }
}
