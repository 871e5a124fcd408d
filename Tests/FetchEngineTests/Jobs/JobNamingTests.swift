import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of job names. A name can be looked up before the store is opened, and is reserved when the
/// store is open.
struct JobNamingTests {
  private let path = FileManager.default.temporaryDirectory
    .appending(path: "naming-\(UUID().uuidString).sqlite").path

  private func config(_ url: String) -> JobConfig {
    JobConfig(typed: "rss", options: [TypedOption("url=\(url)")])
  }

  private var plugin: Plugin {
    get throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "naming-rss.lua")
      try Data("return {}".utf8).write(to: file)
      var manifest = Manifest(name: "rss", version: "1")
      var url = OptionSpec(name: "url")
      url.kind = .url
      manifest.options = [url]
      return Plugin(named: "rss", try PluginFolders([]).load(file.path), manifest)
    }
  }

  private func remove() {
    for suffix in ["", "-wal", "-shm", ".lock"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  @Test func `of two commands that want the same name, the second one is refused`() async throws {
    defer { remove() }
    let plugin = try plugin
    let (a, b) = (config("https://x.example/a"), config("https://x.example/b"))
    let naming = JobNaming(store: .file(path)) { [] }
    let name = await naming.name(of: a, with: plugin)
    #expect(await naming.name(of: b, with: plugin) == name)
    #expect(name == "rss-x.example")
    let store = try await SQLiteStore.open(at: path)
    #expect(try await naming.claim(name, of: a, with: plugin, in: store))
    #expect(try await naming.claim(name, of: a, with: plugin, in: store))
    #expect(try await !naming.claim(name, of: b, with: plugin, in: store))
    let other = await naming.name(of: b, with: plugin)
    #expect(other.text.hasPrefix("rss-x.example-"))
    #expect(try await naming.claim(other, of: b, with: plugin, in: store))
    try await store.close()
    #expect(await naming.name(of: a, with: plugin) == name)
    #expect(await naming.name(of: b, with: plugin) == other)
  }

  @Test func `a store that cannot be read counts as empty`() async throws {
    defer { remove() }
    try Data("no store".utf8).write(to: URL(filePath: path))
    let naming = JobNaming(store: .file(path)) { [] }
    #expect(
      await naming.name(of: config("https://x.example/"), with: try plugin) == "rss-x.example")
  }
}
