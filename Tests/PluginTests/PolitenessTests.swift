import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the facts about a server that are stored after every run, whatever the run's outcome.
@Suite struct PolitenessTests {
  @Test func `a run that fails with 429 keeps the server's Retry-After`() async throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(429, ["Retry-After: 120"])
    }
    defer { server.stop() }
    let bench = try await PluginBench()
    let job = try await bench.job(
      "rss", options: ValueObject([("url", .string(server.url + "/feed"))]))
    let report = await bench.run(job)
    let coolDowns = try await bench.coolDowns()
    try await bench.close()
    #expect(report.record.outcome.failure?.code == .httpStatus)
    #expect(coolDowns == [server.url: 120])
  }

  @Test func `a changed plugin requests the complete source once`() async throws {
    let server = try ScriptedServer { request, connection in
      if request.header("if-none-match") == nil {
        connection.answer(200, ["ETag: \"1\""], "[{\"id\":1}]")
      } else {
        connection.answer(304)
      }
    }
    defer { server.stop() }
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "probe.lua")
    let options = ValueObject([("url", .string(server.url + "/"))])
    func run(title: String) async throws -> Outcome {
      let text = """
        local http = require "http"
        return {
          api = 1, name = "probe", version = "1",
          options = { url = { type = "url" } }, permissions = { http = { "{options.url}" } },
          fetch = function(ctx)
            local response = http.get(ctx.options.url)
            if response.not_modified then return {} end
            return { { id = 1, title = "\(title)" } }
          end,
        }
        """
      try Data(text.utf8).write(to: file)
      let name = bench.folder.appending(path: "./\(title)/../probe.lua").path
      try FileManager.default.createDirectory(
        at: bench.folder.appending(path: title), withIntermediateDirectories: true)
      return await bench.run(try await bench.job(name, options: options)).record.outcome
    }
    #expect(try await run(title: "one") == .newData(ChangeCounts(added: 1)))
    #expect(try await run(title: "one") == .noData(.notModified))
    #expect(try await run(title: "two") == .newData(ChangeCounts(updated: 1)))
    try await bench.close()
  }
}
