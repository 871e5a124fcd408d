import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Items without an identity: one with changed content is a new item.
@Suite struct MissingIdentityTests {
  private static let warning =
    "the items have neither id nor url: an item that changes will be added again; set id"

  private func logs(_ fetch: String) async throws -> [[String]] {
    let bench = try await PluginBench()
    let file = bench.folder.appending(path: "prices.lua")
    let text = """
      return {
        api = 1, name = "prices", version = "1.0.0",
        fetch = function(ctx) \(fetch) end,
      }
      """
    try Data(text.utf8).write(to: file)
    let job = try await bench.job(file.path)
    let reports = [await bench.run(job), await bench.run(job)]
    try await bench.close()
    return reports.map { $0.logs.map(\.message) }
  }

  @Test(arguments: ["return { { title = 'tea' } }", "ctx:emit { title = 'tea', id = '' }"])
  func `the first run reports it`(fetch: String) async throws {
    #expect(try await logs(fetch) == [[Self.warning], []])
  }

  @Test(arguments: [
    "return { { title = 'tea' }, { id = 1 } }",
    "return { { title = 'tea', url = 'https://a.example/' } }", "return {}",
  ]) func `it is not reported if the items have another identity`(fetch: String) async throws {
    #expect(try await logs(fetch) == [[], []])
  }
}
