import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the messages about a store whose file is damaged or missing.
@Suite(.serialized) struct LostStoreTests {
  let program: Program

  init() throws { program = try Program() }

  private var store: String { program.folder.path + "/store.sqlite" }

  private func config(_ more: String = "") throws -> String {
    try program.write(
      "one.lua",
      """
      return { api = 1, name = "one", version = "1", permissions = {},
        fetch = function() return { { id = tostring(math.random()), title = "one" } } end }
      """)
    return try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      \(more)
      jobs:
        - { name: one, plugin: ./one.lua, interval: 1s }
      """)
  }

  private static let verbs = [
    ["run"], ["serve"], ["items"], ["runs"], ["status"], ["explain", "one"], ["prune"],
    ["reset", "one", "--yes"], ["diff", "one", "1"], ["transfers"], ["deliveries"],
  ]

  @Test(arguments: verbs)
  func `an empty file at the store's path is an error whose message has the remedy`(words: [String])
    throws
  {
    defer { program.remove() }
    let config = try config()
    try Data().write(to: URL(filePath: store))
    let ending = try program.run(words + ["--config", config])
    #expect(ending.status == 1)
    #expect(
      ending.messages.contains(
        "the store \(store) is an empty file: restore a copy of it, or remove it to begin a new store, "
          + "where all items count as new\n"), "\(ending)")
    #expect(try Data(contentsOf: URL(filePath: store)).isEmpty)
  }

  @Test func `a daemon whose store is deleted reports it, runs nothing more, and answers requests`()
    throws
  {
    defer { program.remove() }
    let config = try config()
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(for: .output) { $0.count >= 2 })
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: store + suffix)
    }
    let lost =
      "while fetchrun had it open, the store \(store) was deleted: restore a copy of it and "
      + "start fetchrun again; without a copy, all items count as new"
    #expect(serving.wait(for: .messages) { $0.contains { $0.contains(lost) } })
    let runCount = serving.output.count
    let status = try program.run("status", "--config", config)
    #expect(status.status == 0 && status.output.contains(lost), "\(status)")
    let asked = try program.run("run", "one", "--config", config)
    #expect(asked.status != 0 && (asked.messages + asked.output).contains(lost), "\(asked)")
    #expect(serving.output.count <= runCount + 1)
    serving.signal(SIGTERM)
    #expect(serving.end() == 1)
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root can mount a small disk"))
  func `a daemon on a full disk continues when space is free again`() throws {
    defer { program.remove() }
    let folder = program.folder.path + "/disk"
    let disk = try SmallDisk(at: folder, bytes: 4 << 20)
    defer { disk.remove() }
    let config = try config().replacing("fetchrun.yaml", with: "full.yaml")
    try program.write(
      "full.yaml",
      """
      store: disk/store.sqlite
      jobs:
        - { name: one, plugin: ./one.lua, interval: 1s }
        - { name: two, plugin: ./one.lua, interval: 1h }
      """)
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(for: .output) { $0.count >= 3 })
    try disk.fill()
    #expect(serving.wait(for: .output) { $0.contains { $0.hasPrefix("failed  one") } })
    let failedCount = serving.output.filter { $0.hasPrefix("failed") }.count
    let explained = try program.run("explain", "one", "--config", config)
    #expect(explained.output.contains("the store has not been writable since "), "\(explained)")
    #expect(explained.output.contains("one job tries again at "), "\(explained)")
    #expect(!explained.output.contains("It has failed since"), "\(explained)")
    #expect(failedCount <= 2)
    try disk.makeRoom()
    // The daemon tests the store a minute after the store has refused a run.
    #expect(
      serving.wait(for: .output) { lines in
        let failed = lines.lastIndex { $0.hasPrefix("failed") }
        return lines[(failed ?? 0)...].contains { $0.hasPrefix("newData  one") }
      })
    let resumed = try program.run("explain", "one", "--config", config)
    #expect(!resumed.output.contains("the store has not been writable"), "\(resumed)")
    serving.signal(SIGTERM)
    _ = serving.end()
  }
}
