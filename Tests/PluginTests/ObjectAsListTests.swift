import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the warning about `ipairs` over a table that has fields and no list. The body of a loop
/// over such a table never runs.
@Suite struct ObjectAsListTests {
  private func logs(_ body: String) async throws -> [String] {
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "books.lua")
    let text = """
      local json = require "json"
      return {
        api = 1, name = "books", version = "1.0.0",
        fetch = function(ctx)
          \(body)
          return {}
        end,
      }
      """
    try Data(text.utf8).write(to: file)
    let report = await bench.run(try await bench.job(file.path))
    try await bench.close()
    #expect(report.record.outcome == .noData(.empty))
    return report.logs.map { "\($0.level.rawValue): \($0.message)" }
  }

  @Test(arguments: [
    (
      #"for _ in ipairs(json.decode('{"total":1,"books":[{}]}')) do end"#,
      "books.lua:5: ipairs found no list entries in a table with the fields books, total: name the"
        + " list in it, or use pairs"
    ),
    (
      "for i = 1, 3 do for _ in ipairs({ total = i }) do end end",
      "books.lua:5: ipairs found no list entries in a table with the field total: name the list in"
        + " it, or use pairs"
    ),
    (
      "local many = {} for i = 1, 20 do many[('f%02d'):format(i)] = i end ipairs(many)",
      "books.lua:5: ipairs found no list entries in a table with the fields f01, f02, f03, f04, f05,"
        + " f06, f07, f08, f09, f10, f11, f12 …: name the list in it, or use pairs"
    ),
  ]) func `the warning lists the fields, once per run`(body: String, warning: String) async throws {
    #expect(try await logs(body) == ["warning: " + warning])
  }

  @Test(arguments: [
    "ipairs({})", "ipairs({ 1, total = 1 })", "ipairs(table.pack())", "ipairs({ [2] = 'x' })",
    "pairs({ total = 1 })", "ipairs(setmetatable({ total = 1 }, {}))",
    "ipairs({ ['\\255'] = 1, [('x'):rep(1000)] = 2 })",
  ]) func `other tables cause no warning`(body: String) async throws {
    #expect(try await logs(body) == [])
  }
}
