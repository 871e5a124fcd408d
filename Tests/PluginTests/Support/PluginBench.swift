import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// The parts of a command that runs jobs: the real worker processes, the real pipeline, and a fixed
/// time. The store is in memory unless a test needs the store's file.
final class PluginBench: Sendable {
  /// The workers and connections, which all benches share, as the runs of one process do.
  private static let workers = try? newWorkers()
  private static let http = HTTPEngine()
  private static let startAt = Timestamp(seconds: 1_795_000_000)

  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let tests = top.appending(path: "Tests/PluginTests")

  let folder: URL
  let shelf: PluginShelf
  let workers: WorkerPool
  private let store: any Store
  let pipeline: RunPipeline

  /// Returns a separate pool for a test that counts workers. The caller shuts the pool down.
  static func newWorkers() throws -> WorkerPool {
    let executable = try #require(WorkerExecutable.locate(), "build fetchrun-worker first")
    var configuration = WorkerPoolConfiguration(executable: executable)
    // A file whose top level never ends has a limit of CPU time, not of time.
    configuration.startTimeout = .seconds(120)
    return WorkerPool(configuration: configuration)
  }

  /// - Parameters:
  ///   - environment: the variables that contain the secrets.
  ///   - hasFile: whether the store is `store.sqlite` in the folder.
  init(environment: [String: String] = [:], hasFile: Bool = false) async throws {
    workers = try #require(Self.workers, "build fetchrun-worker first")
    folder = FileManager.default.temporaryDirectory
      .appending(path: "fetchrun-plugins-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "store.sqlite").path
    store = hasFile ? try await SQLiteStore.open(at: path) : MemoryStore(path: path)
    shelf = PluginShelf(
      folders: PluginFolders([Self.top.appending(path: "plugins").path]), workers: workers)
    var policy = HTTPPolicy(version: "1.0")
    policy.retryDelay = .milliseconds(1)
    let startAt = Self.startAt
    let time = RunTime(now: { startAt }, random: { UInt64.random(in: .min ... .max) })
    pipeline = RunPipeline(
      RunServices(
        store: store, workers: workers, http: Self.http, policy: policy, time: time,
        secrets: SecretAccess(reading: SecretSources(environment: environment))))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns a job with the plugin's name. Loopback is granted as by `--allow-private`.
  func job(
    _ plugin: String, options: ValueObject = ValueObject(), readPaths: [String] = [],
    secrets: [GivenSecret] = []
  ) async throws -> Job {
    let found = try await shelf.plugin(named: plugin)
    var config = JobConfig(typed: plugin, name: JobName(found.manifest.name.text))
    config.options = options
    config.allow.privateAddresses = true
    config.allow.readPaths = readPaths.isEmpty ? nil : readPaths
    config.secrets = secrets
    return try config.job(with: found)
  }

  /// Returns a hook whose file has the given text. Loopback is granted as by `allow_private`.
  func hook(
    _ text: String, named name: String = "hook", options: ValueObject = ValueObject(),
    secrets: [GivenSecret] = [], limits: Value = [:]
  ) async throws -> LuaHook {
    let path = folder.appending(path: "\(name)-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name).lua"))
    return try await hook(
      file: "\(path)/\(name).lua", options: options, secrets: secrets, limits: limits)
  }

  func hook(
    file: String, options: ValueObject = ValueObject(), secrets: [GivenSecret] = [],
    limits: Value = [:]
  ) async throws -> LuaHook {
    var config = JobConfig(typed: file)
    config.options = options
    config.allow.privateAddresses = true
    config.secrets = secrets
    config.limits = limits.objectValue ?? ValueObject()
    return try config.hook(with: try await shelf.hook(named: file))
  }

  func run(_ job: Job) async -> RunReport { await pipeline.run(job, trigger: .manual) }

  /// Returns the remaining seconds of each origin in a cooldown.
  func coolDowns() async throws -> [String: Int64] {
    var seconds: [String: Int64] = [:]
    for (origin, until) in try await store.coolDowns(after: Self.startAt) {
      seconds[origin.text] = (until - Self.startAt).components.seconds
    }
    return seconds
  }

  func close() async throws { try await store.close() }
}
