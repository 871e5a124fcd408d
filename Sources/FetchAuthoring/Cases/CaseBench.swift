import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// A recorded job with a store of its own. The store begins with the recorded state and validators.
/// The job runs in the ordinary pipeline and in ordinary worker processes. The random numbers
/// depend only on the recording's run id.
struct CaseBench: Sendable {
  private let recording: Recording
  private let files: CaseFiles
  private let job: Job
  private let workers: WorkerPool
  private let policy: HTTPPolicy
  private let store: any Store
  private let chance: SeededRandom
  private let folder: ScratchFolder
  private let secrets: SecretAccess

  /// The files and secrets that a job may use. A new recording uses the real files and secrets. A
  /// replay uses substitutes.
  struct Live {
    var readPaths: [String] = []
    var secrets: [GivenSecret] = []
    var access: SecretAccess
  }

  init(
    _ recording: Recording, _ plugin: Plugin, _ workers: WorkerPool, _ policy: HTTPPolicy,
    live: Live? = nil
  ) async throws {
    self.recording = recording
    self.workers = workers
    self.policy = policy
    folder = try ScratchFolder()
    files = CaseFiles(scratch: folder.path)
    let live = live ?? Self.madeUp(recording)
    secrets = live.access
    job = try Self.job(recording, plugin, files, live)
    let run = recording.run
    chance = SeededRandom(
      seed: run?.low ?? 0, first: run.map { [$0.high, $0.low] } ?? [])
    try files.write(recording)
    store = try await StoreOpener.open(.file(folder.path + "/store.sqlite"))
    try await remember()
  }

  /// Returns the secrets of the recording as substitutes for the real secrets.
  private static func madeUp(_ recording: Recording) -> Live {
    let values = recording.secrets.map { ($0.name, $0.value) }
    let sources = SecretSources(
      environment: Dictionary(values, uniquingKeysWith: { first, _ in first }))
    var live = Live(access: SecretAccess(reading: sources))
    live.secrets = recording.secrets.map {
      GivenSecret(name: $0.name, source: .environment($0.name), hosts: $0.hosts)
    }
    return live
  }

  private static func job(
    _ recording: Recording, _ plugin: Plugin, _ files: CaseFiles, _ live: Live
  ) throws(OptionProblems) -> Job {
    let name = recording.job ?? JobName(plugin.manifest.name.text)
    var config = JobConfig(typed: plugin.path, name: name)
    for option in recording.options.members {
      config.options[option.key] = option.value.replacing(
        Recording.casePlaceholder, with: files.folder)
    }
    config.allow.privateAddresses = PrivateAddresses(recording.allowsPrivate)
    config.hosts = recording.hosts
    let readPaths = live.readPaths + recording.readPaths.map(files.path)
    config.allow.readPaths = readPaths.isEmpty ? nil : readPaths
    config.files.root = files.root
    config.limits = recording.limits
    config.secrets = live.secrets
    return try config.job(with: plugin)
  }

  /// Stores the state and the validators that the job had before the recording, as the result of an
  /// abandoned run. Does nothing if the recording has neither.
  private func remember() async throws {
    if recording.state == nil && recording.validators.isEmpty { return }
    let id = RunID(startedAt: recording.now, random: (0, 0))
    let failure = Failure(.abandoned, "state before the recording")
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

  /// Runs the job once. Returns the result, the changes of the job's files and the queued
  /// transfers.
  func run(
    _ run: RecordedRun = RecordedRun(), at now: Timestamp, over transport: any HTTPTransport,
    clock: any Clock<Duration>
  ) async throws -> CaseRun {
    var time = RunTime(now: { now }, random: { [chance] in chance.next() })
    time.clock = clock
    time.isFrozen = true
    let pipeline = RunPipeline(
      RunServices(
        store: store, workers: workers, http: transport, policy: policy, time: time,
        secrets: secrets))
    let transfer = try await ended(run.transfer, at: now)
    let earlier = try await store.transfers(job: job.name, endedLimit: nil).map(\.id).max() ?? 0
    let before = await files.hashes()
    let report = await pipeline.run(
      job, trigger: transfer == nil ? recording.trigger : .transfer, transfer: transfer)
    let changes = CaseFileChange.between(before, await files.hashes())
    files.setTimes(of: changes, now)
    let queued = try await store.transfers(job: job.name, endedLimit: nil)
      .filter { $0.id > earlier }
    return CaseRun(
      report: report, changes: changes, transfers: queued.sorted { $0.id < $1.id }.map(\.request))
  }

  /// Returns the record of the ended transfer that the run reports to the plugin; nil if there is
  /// none. A pending transfer to the same path is updated in the store.
  private func ended(
    _ recorded: RecordedTransfer?, at now: Timestamp
  ) async throws(StoreError) -> TransferRecord? {
    guard let recorded else { return nil }
    let pending = try await store.pendingTransfer(of: job.name, to: recorded.to)
    let record = recorded.record(id: pending?.id ?? 0, job: job.name, at: now)
    if pending != nil { _ = try await store.update(record) }
    return record
  }

  /// Returns the lines with a placeholder in place of the path `files.folder`. This path differs in
  /// every replay.
  func portable(_ lines: CaseLines) -> CaseLines {
    lines.replacing(files.folder, with: Recording.casePlaceholder)
  }

  func close() async { try? await store.close() }
}

extension Value {
  /// Returns the value with each occurrence of `text` in its strings replaced by `other`. The keys
  /// of objects stay unchanged.
  fileprivate func replacing(_ text: String, with other: String) -> Value {
    switch self {
    case .string(let content): .string(content.replacing(text, with: other))
    case .array(let list): .array(list.map { $0.replacing(text, with: other) })
    case .object(let object):
      .object(
        ValueObject(object.members.map { ($0.key, $0.value.replacing(text, with: other)) }))
    default: self
    }
  }
}

/// A clock for replays, on which every wait ends immediately.
struct FrozenClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}

/// A generator of repeatable random numbers: SplitMix64 (Steele, Lea and Flood 2014).
final class SeededRandom: Sendable {
  private let state: Mutex<UInt64>
  /// The caller's numbers in reverse order. `next` returns them before it generates numbers.
  private let first: Mutex<[UInt64]>

  init(seed: UInt64, first: [UInt64] = []) {
    state = Mutex(seed)
    self.first = Mutex(first.reversed())
  }

  func next() -> UInt64 {
    if let given = first.withLock({ $0.popLast() }) { return given }
    return state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
