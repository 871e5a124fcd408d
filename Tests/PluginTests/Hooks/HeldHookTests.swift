import FetchConfig
import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of changed hook files. A file that requests more than was granted waits for approval, and
/// runs continue without this file.
@Suite struct HeldHookTests {
  /// Returns a hook with the given text as its file, and with its stored grant.
  private static func hook(
    _ bench: PluginBench, _ text: String, named name: String = "tidy"
  ) async throws -> LuaHook {
    let path = bench.folder.appending(path: "\(name).lua").path
    try Data(text.utf8).write(to: URL(filePath: path))
    // A new shelf has not read the file yet.
    let shelf = PluginShelf(folders: PluginFolders([]), workers: bench.workers)
    var config = JobConfig(name: JobName(name), plugin: path)
    config.allow.privateAddresses = true
    return try config.hook(with: try await shelf.hook(named: path))
  }

  private static func filter(_ word: String, hosts: String...) -> String {
    filter(word, hosts: hosts)
  }

  private static func filter(_ word: String, hosts: [String]) -> String {
    """
    return {
      permissions = { http = { \(hosts.map { "\"\($0)\"" }.joined(separator: ", ")) } },
      on_item = function(item)
        if item.title == "\(word)" then return nil end
        return item
      end,
    }
    """
  }

  private static let items = #"[{"id":"a","title":"A"},{"id":"b","title":"B"}]"#

  @Test func `a hook file that asks for no more runs, and one that asks for more waits`()
    async throws
  {
    let bench = try await PluginBench()
    var source = try HookedJob(bench, manifest: "items = { complete = true },")
    source.hooks = [try await Self.hook(bench, Self.filter("B", hosts: "*.a.example"))]
    let first = try await source.run(Self.items)
    #expect(first.news == ["added a: A"])
    #expect(
      first.messages == ["info hook tidy: granted at the first run: to reach *.a.example"])

    source.hooks = [try await Self.hook(bench, Self.filter("A", hosts: "x.a.example"))]
    let same = try await source.run(Self.items)
    #expect(same.news == ["added b: B", "removed a"])
    #expect(same.messages == [])

    source.hooks = [
      try await Self.hook(bench, Self.filter("B", hosts: "*.a.example", "evil.example"))
    ]
    for news in [["added a: A"], []] {
      let held = try await source.run(Self.items)
      #expect(held.record.outcome.failure == nil)
      #expect(held.news == news, "no item is lost or reported as removed")
      #expect(
        held.messages == [
          "warning hook tidy: on_item failed (permission), the remaining items stay unchanged: "
            + "\(bench.folder.path)/tidy.lua has changed and asks for more than was granted: "
            + "to reach evil.example; the file has not run: see `fetchrun diff-permissions --hook "
            + "tidy`, and allow it with `fetchrun grant --hook tidy`"
        ])
    }
    try await bench.close()
  }

  @Test func `a held before_run is reported, and the run continues`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [try await Self.hook(bench, "return { before_run = function() end }")]
    #expect(try await source.run(Self.items).messages == [])
    source.hooks = [
      try await Self.hook(
        bench, "return { permissions = { http = { '*' } }, before_run = function() end }")
    ]
    let held = try await source.run(Self.items.replacing("A", with: "C"))
    #expect(held.news == ["updated a: C"])
    let line = held.messages.first ?? ""
    #expect(
      line.hasPrefix("warning hook tidy: before_run failed (permission), the run continues: "),
      "\(line)")
    try await bench.close()
  }

  /// Starts a server of one unchanging list of items with an `ETag`.
  private static func taggedServer() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      if request.header("if-none-match") == "\"1\"" {
        connection.answer(304)
      } else {
        connection.answer(200, ["ETag: \"1\""], Self.items)
      }
    }
  }

  /// Returns a job that requests the items of the server.
  private static func job(_ bench: PluginBench, of server: ScriptedServer) throws -> HookedJob {
    try HookedJob(
      bench,
      manifest: """
        permissions = { http = { "127.0.0.1:*" } },
        """,
      fetch: """
        local answer = assert(require("http").get("\(server.url)/"))
        return answer.not_modified and {} or answer:json()
        """)
  }

  @Test func `bodies that were read without the hook are read again when it is approved`()
    async throws
  {
    let server = try Self.taggedServer()
    defer { server.stop() }
    let bench = try await PluginBench()
    var source = try Self.job(bench, of: server)
    let held = Self.filter("B", hosts: "evil.example")
    source.hooks = [try await Self.hook(bench, Self.filter("B"))]
    #expect(try await source.run().news == ["added a: A"])
    source.hooks = [try await Self.hook(bench, held)]
    #expect(try await source.run().news == ["added b: B"])
    let unchanged = try await source.run().record.outcome
    #expect(unchanged == .noData(.notModified))
    // An approval ends the hold. The body is requested without a validator, so that the plugin
    // reads it again and the hook gets its items.
    source.hooks[0].claim.isAgreed = true
    let agreed = try await source.run().record.outcome
    #expect(agreed == .noData(.sameItems))
    #expect(
      server.requests.map { $0.header("if-none-match") != nil } == [false, false, true, false])
    try await bench.close()
  }

  @Test func `bodies are read again when another hook waits for approval`() async throws {
    let server = try Self.taggedServer()
    defer { server.stop() }
    let bench = try await PluginBench()
    var source = try Self.job(bench, of: server)
    let names = ["tidy", "trim"]
    for hosts in [[], ["evil.example"]] {
      source.hooks = []
      for name in names {
        let text = Self.filter(name, hosts: hosts)
        source.hooks.append(try await Self.hook(bench, text, named: name))
      }
      if hosts.isEmpty { _ = try await source.run() }
    }
    // The command line approves one of the two hooks.
    for agreed in names.indices {
      for index in names.indices { source.hooks[index].claim.isAgreed = index == agreed }
      _ = try await source.run()
    }
    #expect(server.requests.map { $0.header("if-none-match") != nil } == [false, false, false])
    try await bench.close()
  }

  @Test func `the deliveries of a held hook wait without counting as failures`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let bench = try await PluginBench()
    func text(_ hosts: String) -> String {
      """
      return {
        permissions = { http = { \(hosts) } },
        on_new_data = function() assert(require("http").post("\(server.url)/", {})) end,
      }
      """
    }
    let now = Timestamp(seconds: 1_795_000_000)
    let news = Delivery(
      id: 1, hook: "tidy", job: "ships", event: .newData, payload: #"{"items":[]}"#, key: "k",
      createdAt: now)
    let batch = try #require(DeliveryBatch([news]))
    let granted = try await Self.hook(bench, text("'127.0.0.1:*'"))
    #expect(await LuaSink(granted, services: bench.pipeline.services).deliver(batch) == .delivered)
    let held = try await Self.hook(bench, text("'127.0.0.1:*', 'evil.example'"))
    let reason =
      "\(bench.folder.path)/tidy.lua has changed and asks for more than was granted: to reach "
      + "evil.example; the file has not run: see `fetchrun diff-permissions --hook tidy`, and "
      + "allow it with `fetchrun grant --hook tidy`"
    #expect(
      await LuaSink(held, services: bench.pipeline.services).deliver(batch)
        == .held(reason, lookAgainAt: now + .seconds(3600)))
    #expect(server.requests.count == 1)
    try await bench.close()
  }
}
