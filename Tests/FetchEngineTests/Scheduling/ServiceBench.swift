import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// The scheduler with real runs, a store and a server on loopback. A test lets the bench's clock
/// jump from one due time to the next, so that months pass in seconds.
final class ServiceBench: Sendable {
  /// The worker pool of all benches that do not need their own pool.
  private static let workers = try? newWorkers()
  private static let http = HTTPEngine()
  /// The time at which the bench's clock starts: 2026-11-20T00:00:00Z, a Friday.
  static let startAt = Timestamp(seconds: 1_795_132_800)

  private static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  let site: Site
  let clock = ManualClock()
  private let clockStep = Mutex(Duration.zero)
  private let folder: URL
  private let pluginFolders: PluginFolders
  private let pool: WorkerPool
  /// The store in memory. The value is nil if the store is in a file.
  private let memory: Mutex<MemoryStore?>

  /// A new shelf, which reads each plugin file again, as a process does when it starts or reloads.
  var shelf: PluginShelf { PluginShelf(folders: pluginFolders, workers: pool) }

  private static func newWorkers(_ workersMax: Int? = nil) throws -> WorkerPool {
    let executable = try #require(WorkerExecutable.locate(), "build fetchrun-worker first")
    var configuration = WorkerPoolConfiguration(executable: executable)
    if let workersMax {
      configuration.workersMax = workersMax
      configuration.busyWorkersMax = 8
    }
    return WorkerPool(configuration: configuration)
  }

  /// - Parameters:
  ///   - workersMax: the maximum number of processes in the bench's own pool, or nil for the shared
  ///     pool.
  ///   - inMemory: whether the store is in memory, for tests that need no file.
  init(workersMax: Int? = nil, inMemory: Bool = false) throws {
    let shared = try #require(Self.workers, "build fetchrun-worker first")
    pool = try workersMax.map(Self.newWorkers) ?? shared
    folder = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "store.sqlite").path
    memory = Mutex(inMemory ? MemoryStore(path: path) : nil)
    site = try Site()
    let plugins = Self.top.appending(path: "plugins").path
    pluginFolders = PluginFolders([plugins])
  }

  deinit {
    site.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  var now: Timestamp { Self.startAt + clock.now.offset + clockStep.withLock(\.self) }

  /// Sets the machine's clock forward, without waking sleeping tasks.
  func setClock(forward step: Duration) { clockStep.withLock { $0 += step } }

  var storePath: String { path("store.sqlite") }

  /// Returns the path of a file in the config's folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  /// Returns the recorded runs of the store, oldest first.
  func records() throws -> [RunRecord] {
    if let memory = memory.withLock(\.self) {
      return try memory.runs(job: nil, limit: nil).reversed()
    }
    return try StoreReader(at: storePath).runs(limit: 100_000).reversed()
  }

  /// Returns the text with `{h1}` replaced by the address of the hostname h1.localhost.
  func addressed(_ text: String) -> String {
    text.replacing(/\{(h\d+)\}/) { "http://\($0.output.1).localhost:\(self.site.port)" }
  }

  func config(_ yaml: String) throws -> Config {
    try ConfigFile.read(addressed(yaml), path: path("fetchrun.yaml"), environment: [:])
  }

  func prepare(_ config: Config, named names: [JobName] = []) async throws -> [Job] {
    try await JobPreparation(shelf: shelf, privateAddresses: .all).prepare(config, named: names)
  }

  /// Opens a service over the jobs of a config.
  /// - Parameter logger: receives the log lines that `EventRecorder.sink` passes. By default each
  ///   of these lines fails the test.
  func open(
    _ yaml: String, runsOnce: Bool = false, plansAhead: Bool = true,
    logger: @escaping @Sendable (String) -> Void = { Issue.record("\($0)") }
  ) async throws -> OpenService {
    let config = try config(yaml)
    let recorder = EventRecorder()
    let store = try await openStore()
    let clock = clock
    let preparation = JobPreparation(shelf: shelf, privateAddresses: .all)
    let service = try await JobService(
      config, pipeline: pipeline(store), noting: runsOnce ? .never : .atOnce, runsOnce: runsOnce,
      plansAhead: plansAhead, local: .utc,
      luaHooks: try await preparation.hooks(of: config), clock: clock,
      events: recorder.sink(logger))
    try await service.load(prepare(config), local: .utc, abandoned: store.recover().abandonedJobs)
    return OpenService(bench: self, service: service, store: store, recorder: recorder)
  }

  func pipeline(_ store: any Store) -> RunPipeline {
    var policy = HTTPPolicy(version: "1.0")
    policy.retryDelay = .milliseconds(1)
    let time = RunTime(now: { self.now }, random: { UInt64.random(in: .min ... .max) })
    return RunPipeline(
      RunServices(store: store, workers: pool, http: Self.http, policy: policy, time: time))
  }

  /// Opens the store as another process would.
  func openStore() async throws -> any Store {
    let reopened = memory.withLock { store in
      store = store?.reopened()
      return store
    }
    if let reopened { return reopened }
    return try await SQLiteStore.open(at: storePath)
  }

  /// Serves the jobs as `serve` does, until `stop`.
  func serve(_ yaml: String, plansAhead: Bool = true) async throws -> OpenService {
    let open = try await open(yaml, plansAhead: plansAhead)
    open.begin(until: .stopped)
    return open
  }
}
