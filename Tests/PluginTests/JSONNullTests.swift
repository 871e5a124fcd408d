import FetchEngine
import FetchModel
import Foundation
import Testing

/// Tests of JSON texts that consist only of null.
@Suite struct JSONNullTests {
  @Test func `the text null is json.null, and invalid JSON is nil`() async throws {
    let bench = try await PluginBench()
    let path = bench.folder.appending(path: "null.lua")
    let text = """
      local json = require "json"
      return {
        api = 1, name = "null", version = "1.0.0",
        fetch = function(ctx)
          assert(json.decode(" null ") == json.null)
          assert(json.decode("[null]")[1] == json.null)
          local value, message = json.decode("nul")
          assert(value == nil and message:find("invalid JSON at line 1", 1, true))
          return { { id = 1, title = json.encode(json.decode("null")) } }
        end,
      }
      """
    try Data(text.utf8).write(to: path)
    let report = await bench.run(try await bench.job(path.path))
    try await bench.close()
    #expect(report.record.outcome == .newData(ChangeCounts(added: 1)))
  }
}
