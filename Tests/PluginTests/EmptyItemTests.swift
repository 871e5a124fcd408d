import FetchEngine
import FetchModel
import FetchValues
import Foundation
import Testing

/// Tests of items without content, such as those from empty rows of a table.
@Suite struct EmptyItemTests {
  private func run(_ fetch: String) async throws -> RunReport {
    let bench = try await PluginBench()
    let path = bench.folder.appending(path: "rows.lua")
    let text = """
      return {
        api = 1, name = "rows", version = "1.0.0",
        fetch = function(ctx) \(fetch) end,
      }
      """
    try Data(text.utf8).write(to: path)
    let report = await bench.run(try await bench.job(path.path))
    try await bench.close()
    return report
  }

  private static let one = LogLine(.warning, "1 item is empty and was skipped")
  private static let three = LogLine(.warning, "3 items are empty and were skipped")

  @Test func `empty items are dropped, and counted in the log`() async throws {
    let one = try await run("return { { id = 1, title = 'A' }, { title = '' } }")
    #expect(one.record.outcome == .newData(ChangeCounts(added: 1)))
    #expect(one.logs == [Self.one])
    let more = try await run(
      "return { {}, { title = '' }, { id = 1, title = 'A' }, { tags = {} } }")
    #expect(more.record.outcome == .newData(ChangeCounts(added: 1)))
    #expect(more.logs == [Self.three])
  }

  @Test func `the count of empty items includes all checkpoints`() async throws {
    let report = try await run(
      """
      ctx:emit { id = 1, title = "A" }
      ctx:emit { title = "" }
      ctx:checkpoint()
      return { { title = "" }, { title = "" } }
      """)
    #expect(report.record.outcome == .newData(ChangeCounts(added: 1)))
    #expect(report.logs == [Self.three])
  }

  @Test func `a run with only empty items fails`() async throws {
    for fetch in ["return { { title = '' }, {} }", "ctx:emit { title = '' } ctx:checkpoint()"] {
      let report = try await run(fetch)
      let failure = report.record.outcome.failure
      #expect(failure?.message.hasPrefix("item 1 has only empty fields; an item is") == true)
      #expect(report.logs.isEmpty)
    }
  }

  @Test func `items after empty ones keep their numbers`() async throws {
    let report = try await run("return { { title = '' }, { id = 1, title = {} } }")
    #expect(report.record.outcome.failure?.message.hasPrefix("item 2 'title'") == true)
  }
}
