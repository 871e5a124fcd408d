import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of the interpretation of results that have several parts or several source answers.
@Suite struct WholeResultTests {
  private final class Mood: Sendable {
    private let state = Mutex("")
    var now: String {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  private func job(
    _ bench: PluginBench, at url: String = "", _ manifest: String, _ fetch: String
  ) async throws -> Job {
    let path = bench.folder.appending(path: "parts.lua")
    let text = """
      local http = require "http"
      return {
        api = 1, name = "parts", version = "1.0.0", permissions = { http = { "127.0.0.1" } },
        options = { address = {} }, \(manifest),
        fetch = function(ctx) \(fetch) end,
      }
      """
    try Data(text.utf8).write(to: path)
    return try await bench.job(path.path, options: ValueObject([("address", .string(url))]))
  }

  @Test(arguments: ["503", "404", "close"])
  func `an error of the source causes no removal`(
    fault: String
  ) async throws {
    let mood = Mood()
    let server = try ScriptedServer { request, connection in
      if mood.now == "close", request.path == "/two" { return connection.close() }
      let status = request.path == "/two" ? Int(mood.now) ?? 200 : 200
      connection.answer(status, [], "item of \(request.path)")
    }
    let bench = try await PluginBench()
    let job = try await self.job(
      bench, at: server.url, "items = { complete = true }",
      """
      for _, path in ipairs { "/one", "/two" } do
        local response = http.get(ctx.options.address .. path, { conditional = false })
        if response and response.ok then ctx:emit { id = path, title = response.body } end
      end
      """)
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 2)))
    mood.now = fault
    #expect(await bench.run(job).record.outcome == .noData(.sameItems))
    mood.now = ""
    #expect(await bench.run(job).record.outcome == .noData(.sameItems))
    try await bench.close()
  }

  @Test func `the latest items of a first run are chosen from all its parts`() async throws {
    let bench = try await PluginBench()
    let job = try await self.job(
      bench, "items = { first_run = \"latest:1\" }",
      "ctx:emit { id = 1 } ctx:checkpoint() ctx:emit { id = 2 } ctx:checkpoint() ctx:emit { id = 3 }"
    )
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1)))
    try await bench.close()
  }

  @Test func `an identity that items of two parts share is not news again`() async throws {
    let bench = try await PluginBench()
    let job = try await self.job(
      bench, "items = {}",
      """
      ctx:emit { id = "g", title = "one", url = "https://example.org/1" }
      ctx:checkpoint()
      ctx:emit { id = "g", title = "two", url = "https://example.org/2" }
      """)
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 2)))
    #expect(await bench.run(job).record.outcome == .noData(.sameItems))
    try await bench.close()
  }
}
