import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of `wake_on`. The address in `wake_on` is requested first, and the plugin runs only if the
/// answer is new or the request fails.
@Suite struct WakingTests {
  /// A plugin that returns a new item in each run, and reports the answer that it received.
  private static let eager = """
    local http = require "http"
    return {
      api = 1, name = "eager", version = "1",
      options = { url = { type = "url" } }, permissions = { http = { "{options.url}" } },
      wake_on = "{options.url}",
      fetch = function(ctx)
        local count = (ctx.state.count or 0) + 1
        ctx.state.count = count
        local response, problem = http.get(ctx.options.url)
        if not response then return nil, problem end
        return { { id = count, title = response.status .. " " .. response.body } }
      end,
    }
    """

  private static func withJob(
    _ server: ScriptedServer, _ text: String = eager,
    _ body: (PluginBench, Job) async throws -> Void
  ) async throws {
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "eager.lua")
    try Data(text.utf8).write(to: file)
    try await body(
      bench,
      try await bench.job(file.path, options: ValueObject([("url", .string(server.url + "/"))])))
    try await bench.close()
  }

  @Test func `a 304 does not wake the plugin`() async throws {
    let server = try ScriptedServer { request, connection in
      if request.header("if-none-match") == nil {
        connection.answer(200, ["ETag: \"1\""], "one")
      } else {
        connection.answer(304)
      }
    }
    defer { server.stop() }
    try await Self.withJob(server) { bench, job in
      #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1)))
      let second = await bench.run(job).record
      #expect(second.outcome == .noData(.notModified))
      #expect(second.requestCount == 1)
      #expect(second.cpu == .zero)
    }
  }

  @Test func `an unchanged body does not wake the plugin`() async throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "one") }
    defer { server.stop() }
    try await Self.withJob(server) { bench, job in
      #expect(await bench.run(job).record.outcome == .newData(ChangeCounts(added: 1)))
      #expect(await bench.run(job).record.outcome == .noData(.sameBody))
    }
  }

  @Test func `a new body wakes the plugin, and the address is not requested twice`() async throws {
    let count = Atomic<Int>(0)
    let server = try ScriptedServer { _, connection in
      let number = count.add(1, ordering: .relaxed).newValue
      connection.answer(200, ["ETag: \"\(number)\""], "body \(number)")
    }
    defer { server.stop() }
    try await Self.withJob(server) { bench, job in
      _ = await bench.run(job)
      let second = await bench.run(job)
      #expect(second.record.outcome == .newData(ChangeCounts(added: 1)))
      #expect(second.record.requestCount == 1)
      #expect(second.lines.map(\.title) == ["200 body 2"])
    }
    #expect(count.load(ordering: .relaxed) == 2)
  }

  @Test func `a failure wakes the plugin, which receives the failure once`() async throws {
    let count = Atomic<Int>(0)
    let server = try ScriptedServer { _, connection in
      let isFirst = count.add(1, ordering: .relaxed).newValue == 1
      connection.answer(isFirst ? 200 : 500, ["ETag: \"1\""], isFirst ? "one" : "broken")
    }
    defer { server.stop() }
    try await Self.withJob(server) { bench, job in
      _ = await bench.run(job)
      #expect(await bench.run(job).lines.map(\.title) == ["500 broken"])
    }
    #expect(count.load(ordering: .relaxed) == 2)
  }

  @Test func `the request and the plugin share one window`() async throws {
    let count = Atomic<Int>(0)
    let server = try ScriptedServer { _, connection in
      if count.add(1, ordering: .relaxed).newValue == 1 {
        connection.answer(200, ["ETag: \"1\""], "one")
      } else {
        connection.waitUntilClientCloses()
      }
    }
    defer { server.stop() }
    let patient = Self.eager.replacingOccurrences(
      of: "if not response then return nil, problem end",
      with: "if not response then while true do end end")
    try await Self.withJob(server, patient) { bench, job in
      var job = job
      _ = await bench.run(job)
      job.limits.window = .seconds(3)
      let begun = ContinuousClock.now
      let failure = await bench.run(job).record.outcome.failure
      #expect(failure?.code == .timeLimit)
      #expect(failure?.message.contains("its window of 3 s") == true)
      #expect(begun.duration(to: .now) < .seconds(6))
    }
  }
}
