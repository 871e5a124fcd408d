import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of a function `fetch` without a result, whose author may have forgotten `return items`.
@Suite struct NothingReturnedTests {
  private static let hint = "fetch returned nothing; is `return items` missing at its end?"

  private func reports(
    _ fetch: String, runs: Int = 2
  ) async throws -> [(note: String?, logs: [String])] {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "[1]") }
    defer { server.stop() }
    let bench = try await PluginBench()
    let path = bench.folder.appending(path: "books.lua")
    let text = """
      local http = require "http"
      local function get() return http.get("\(server.url)/", { conditional = false }) end
      return {
        api = 1, name = "books", version = "1.0.0", permissions = { http = { "127.0.0.1:*" } },
        fetch = function(ctx) \(fetch) end,
      }
      """
    try Data(text.utf8).write(to: path)
    let job = try await bench.job(path.path)
    var found: [(note: String?, logs: [String])] = []
    for _ in 0..<runs {
      let report = await bench.run(job)
      #expect(report.record.outcome.failure == nil, "\(report.record.outcome)")
      found.append((report.record.note, report.logs.map(\.message)))
    }
    try await bench.close()
    return found
  }

  @Test func `a fetch without a result is logged, and the advice appears once`() async throws {
    let reports = try await reports("local items = get():json()")
    #expect(reports.map(\.note) == ["nothing returned", "nothing returned"])
    #expect(reports.map(\.logs) == [[Self.hint], []])
  }

  @Test(arguments: [
    "get() return {}", "get() ctx:emit { id = 1 }", "ctx:note('all quiet') get()",
  ])
  func `an intended empty result gets no advice`(fetch: String) async throws {
    for report in try await reports(fetch) {
      #expect(report.note != "nothing returned")
      #expect(report.logs == [])
    }
  }

  @Test func `a run without an answer gets no advice`() async throws {
    let reports = try await reports("return", runs: 1)
    #expect(reports.map(\.note) == ["nothing returned"])
    #expect(reports.map(\.logs) == [[]])
  }

  @Test func `a note is cut to one line of valid text`() async throws {
    for text in ["string.rep('x', 1000)", "string.rep('\\255', 1000)", "string.rep('ü', 150)"] {
      let note = try #require(try await reports("ctx:note(\(text)) return {}", runs: 1).first?.note)
      #expect(note.utf8.count <= 200 && note.hasSuffix("…"))
    }
    let last = try await reports("ctx:note('one') ctx:note('two') return {}", runs: 1)
    #expect(last.first?.note == "two")
  }
}
