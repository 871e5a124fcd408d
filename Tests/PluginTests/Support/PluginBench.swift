import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// The parts of a command that runs jobs, with its own clock: the real worker processes, the real
/// pipeline, and a store, which is in memory unless a test needs its file.
final class PluginBench: Sendable {
  /// Workers and connections are shared by all tests, as runs share them.
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

  /// Returns a separate pool for a test that counts workers; its owner shuts it down.
  static func newWorkers() throws -> WorkerPool {
    let executable = try #require(WorkerExecutable.locate(), "build fetchrun-worker first")
    return WorkerPool(configuration: WorkerPoolConfiguration(executable: executable))
  }

  /// - Parameters:
  ///   - environment: variables that are the secrets.
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

  /// Returns a job named after the plugin, with loopback granted as by `--allow-private`.
  func job(
    _ plugin: String, options: ValueObject = ValueObject(), readPaths: [String] = [],
    secrets: [GivenSecret] = []
  ) async throws -> Job {
    let found = try await shelf.plugin(named: plugin)
    var definition = JobDefinition(
      plugin: plugin, name: found.manifest.name,
      options: options.members.map { .value(name: $0.key, value: $0.value) })
    definition.allow.privateAddresses = true
    definition.allow.readPaths = readPaths.isEmpty ? nil : readPaths
    definition.secrets = secrets
    return try definition.job(with: found)
  }

  /// Returns a hook with that text, with loopback granted as by `allow_private`.
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
    var definition = JobDefinition(
      plugin: file, options: options.members.map { .value(name: $0.key, value: $0.value) })
    definition.allow.privateAddresses = true
    definition.secrets = secrets
    definition.limits = limits.objectValue ?? ValueObject()
    return try definition.hook(with: try await shelf.hook(named: file))
  }

  func run(_ job: Job) async -> RunReport { await pipeline.run(job, trigger: .manual) }

  /// Returns the origins with a cool-down, with the seconds left.
  func coolDowns() async throws -> [String: Int64] {
    var seconds: [String: Int64] = [:]
    for (origin, until) in try await store.coolDowns(after: Self.startAt) {
      seconds[origin.text] = (until - Self.startAt).components.seconds
    }
    return seconds
  }

  func close() async throws { try await store.close() }
}
