import FetchEngine
import FetchModel
import FetchTestSupport
import Foundation
import Synchronization
import Testing

/// Tests of the rules for a job's first run. A failed run does not count as the first run.
@Suite struct FirstRunRuleTests {
  /// Returns a job whose plugin executes its server's answer, which is lines of Lua.
  private func job(
    _ bench: PluginBench, _ server: ScriptedServer, _ rule: FirstRunRule, _ parts: [String]
  ) async throws -> Job {
    let path = bench.folder.appending(path: "parts.lua")
    let steps = parts.enumerated().map { "if step == \"\($0 + 1)\" then \($1) end" }
    let text = """
      local http = require "http"
      return {
        api = 1, name = "parts", version = "1.0.0", permissions = { http = { "127.0.0.1:*" } },
        fetch = function(ctx)
          local step = http.get("\(server.url)/", { conditional = false }).body
          \(steps.joined(separator: "\n"))
        end,
      }
      """
    try Data(text.utf8).write(to: path)
    var job = try await bench.job(path.path)
    job.firstRun = rule
    return job
  }

  /// Returns a server that answers 1, then 2, and so on.
  private func counter() throws -> ScriptedServer {
    let count = Mutex(0)
    return try ScriptedServer { _, connection in
      let number = count.withLock { count in
        count += 1
        return count
      }
      connection.answer(200, [], "\(number)")
    }
  }

  @Test func `under baseline no item of a failed first run becomes news`() async throws {
    let server = try counter()
    defer { server.stop() }
    let bench = try await PluginBench()
    let job = try await job(
      bench, server, .baseline,
      [
        "ctx:emit { id = 1, title = 'a' } ctx:checkpoint() error('broken')",
        "ctx:emit { id = 1, title = 'b' } ctx:emit { id = 2 }",
        "ctx:emit { id = 1, title = 'c' } ctx:emit { id = 2 } ctx:emit { id = 3 }",
      ])
    let failed = await bench.run(job).record
    #expect(failed.outcome.failure != nil && failed.counts == ChangeCounts())
    #expect(await bench.run(job).record.outcome == .noData(.sameItems))
    #expect(
      await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1, updated: 1)))
    try await bench.close()
  }

  @Test func `the latest items are chosen from those of all attempts`() async throws {
    let server = try counter()
    defer { server.stop() }
    let bench = try await PluginBench()
    let items = (1...6).map { "ctx:emit { id = \($0) }" }
    let job = try await job(
      bench, server, .latest(3),
      [
        items[..<2].joined(separator: " ") + " ctx:checkpoint() error('broken')",
        items.joined(separator: " "), items.joined(separator: " ") + " ctx:emit { id = 7 }",
      ])
    #expect(await bench.run(job).record.counts == ChangeCounts(added: 2))
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1)))
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1)))
    try await bench.close()
  }

  @Test func `an empty first run counts, and later items are news`() async throws {
    let server = try counter()
    defer { server.stop() }
    let bench = try await PluginBench()
    let job = try await job(bench, server, .baseline, ["return {}", "ctx:emit { id = 1 }"])
    #expect(await bench.run(job).record.outcome == .noData(.empty))
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1)))
    try await bench.close()
  }

  @Test func `the job's rule overrides its plugin's`() async throws {
    let bench = try await PluginBench()
    let path = bench.folder.appending(path: "loud.lua")
    try Data(
      """
      return {
        api = 1, name = "loud", version = "1", items = { first_run = "baseline" },
        fetch = function() return { { id = 1 }, { id = 2 } } end,
      }
      """.utf8
    ).write(to: path)
    var job = try await bench.job(path.path)
    job.firstRun = .all
    #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 2)))
    try await bench.close()
  }
}
