import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the cache of manifests. A plugin whose text has been inspected before needs no worker.
@Suite struct ManifestCacheTests {
  private static let text = """
    return { api = 1, name = "probe", version = "1", fetch = function() end }
    """

  /// Acts like a separate process: loads the plugin from a new shelf and counts the workers that
  /// were started.
  private static func look(_ bench: PluginBench, _ text: String) async throws -> (
    version: String, workers: Int
  ) {
    let file = bench.folder.appending(path: "probe.lua")
    try Data(text.utf8).write(to: file)
    let workers = try PluginBench.newWorkers()
    let shelf = PluginShelf(
      folders: PluginFolders([]), workers: workers,
      cache: ManifestCache(folder: cache(bench).path, worker: "/proc/self/exe"))
    let plugin = try await shelf.plugin(named: file.path)
    let count = await workers.status().count
    await workers.shutdown()
    return (plugin.manifest.version, count)
  }

  private static func cache(_ bench: PluginBench) -> URL {
    bench.folder.appending(path: "cache/manifests")
  }

  private static func files(_ bench: PluginBench) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: cache(bench), includingPropertiesForKeys: nil)
  }

  @Test func `an unchanged text is inspected once`() async throws {
    let bench = try await PluginBench()
    #expect(try await Self.look(bench, Self.text) == ("1", 1))
    #expect(try await Self.look(bench, Self.text) == ("1", 0))
    #expect(try Self.files(bench).count == 1)
    try await bench.close()
  }

  @Test func `an entry that others can change is not used`() async throws {
    let bench = try await PluginBench()
    _ = try await Self.look(bench, Self.text)
    for file in try Self.files(bench) { #expect(chmod(file.path, 0o666) == 0) }
    #expect(try await Self.look(bench, Self.text) == ("1", 1))
    try await bench.close()
  }

  @Test func `a changed text is inspected again`() async throws {
    let bench = try await PluginBench()
    _ = try await Self.look(bench, Self.text)
    let changed = Self.text.replacingOccurrences(of: "\"1\"", with: "\"2\"")
    #expect(try await Self.look(bench, changed) == ("2", 1))
    try await bench.close()
  }

  @Test(arguments: [0, 1, 31, 32, 40]) func `a damaged cache file is ignored`(
    length: Int
  ) async throws {
    let bench = try await PluginBench()
    _ = try await Self.look(bench, Self.text)
    for file in try Self.files(bench) { try Data(repeating: 7, count: length).write(to: file) }
    #expect(try await Self.look(bench, Self.text) == ("1", 1))
    #expect(try await Self.look(bench, Self.text) == ("1", 0))
    try await bench.close()
  }

  @Test func `an unwritable cache is ignored`() async throws {
    let bench = try await PluginBench()
    try Data().write(to: bench.folder.appending(path: "cache"))
    #expect(try await Self.look(bench, Self.text) == ("1", 1))
    try await bench.close()
  }

  @Test func `old texts are removed from the cache`() async throws {
    let bench = try await PluginBench()
    try FileManager.default.createDirectory(
      at: Self.cache(bench), withIntermediateDirectories: true)
    for number in 0..<1000 {
      try Data().write(to: Self.cache(bench).appending(path: "\(number)"))
    }
    _ = try await Self.look(bench, Self.text)
    #expect(try Self.files(bench).count == 1)
    try await bench.close()
  }

  // MARK: Texts with errors

  /// Returns the problems of a text in another process, which may or may not start a worker.
  private static func problems(_ bench: PluginBench, _ text: String, hasWorkers: Bool) async throws
    -> PluginProblems?
  {
    let file = bench.folder.appending(path: "probe.lua")
    try Data(text.utf8).write(to: file)
    let workers =
      hasWorkers
      ? try PluginBench.newWorkers()
      : WorkerPool(configuration: WorkerPoolConfiguration(executable: "/nonexistent"))
    let shelf = PluginShelf(
      folders: PluginFolders([]), workers: workers,
      cache: ManifestCache(folder: cache(bench).path, worker: "/proc/self/exe"))
    defer { Task.immediate { await workers.shutdown() } }
    do throws(PluginProblems) { _ = try await shelf.plugin(named: file.path) } catch {
      return error
    }
    return nil
  }

  @Test func `a text with an endless top level is run once a day`() async throws {
    let bench = try await PluginBench()
    let loop = "\nwhile true do end"
    let first = try #require(try await Self.problems(bench, loop, hasWorkers: true))
    #expect(!first.isOfHost && first.all.first?.line == 2)
    #expect(
      first.all.first?.message
        == "loading the file takes more than 1 s of CPU time; do this work in fetch or in a hook's"
        + " function")
    #expect(try await Self.problems(bench, loop, hasWorkers: false) == first)
    let file = try #require(try Self.files(bench).first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: file.path)
    #expect(try await Self.problems(bench, loop, hasWorkers: false)?.isOfHost == true)
    #expect(try await Self.problems(bench, loop, hasWorkers: true) == first)
    try await bench.close()
  }

  @Test func `a text with a mistake is run at each start`() async throws {
    let bench = try await PluginBench()
    let mistake = "return { api == 1 }"
    #expect(try await Self.problems(bench, mistake, hasWorkers: true)?.isOfHost == false)
    #expect(try await Self.problems(bench, mistake, hasWorkers: false)?.isOfHost == true)
    try await bench.close()
  }

  @Test func `several files are inspected before they are needed`() async throws {
    let bench = try await PluginBench()
    let workers = try PluginBench.newWorkers()
    let shelf = PluginShelf(folders: PluginFolders([]), workers: workers)
    let paths = (0..<20).map { bench.folder.appending(path: "p\($0).lua").path }
    for path in paths { try Data(Self.text.utf8).write(to: URL(filePath: path)) }
    _ = await shelf.plugins(named: paths + paths)
    await workers.shutdown()
    for path in paths { #expect(try await shelf.plugin(named: path).manifest.name == "probe") }
    try await bench.close()
  }
}
