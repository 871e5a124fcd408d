import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of items whose date or address cannot be read, and of items without an identity. A changed
/// item without an identity becomes a new item.
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
  func `the first run reports items without an identity`(fetch: String) async throws {
    #expect(try await logs(fetch) == [[Self.warning], []])
  }

  @Test(arguments: [
    "return { { title = 'tea' }, { id = 1 } }",
    "return { { title = 'tea', url = 'https://a.example/' } }", "return {}",
  ]) func `items with another identity are not reported`(fetch: String) async throws {
    #expect(try await logs(fetch) == [[], []])
  }

  private static func unread(_ name: String, of item: String) -> String {
    "\(item): the text in '\(name)' is not an RFC 3339 date: convert it with time.iso(text)"
  }

  @Test func `the first run reports that no date can be read`() async throws {
    #expect(
      try await logs("return { { id = 1, published = '20.11.2026' } }")
        == [[Self.unread("published", of: "item 1")], []])
    #expect(
      try await logs("return { { id = 1 }, { id = 2, updated = 'yesterday' } }")
        == [[Self.unread("updated", of: "item 2")], []])
    #expect(
      try await logs("return { {}, { id = 1, published = 'yesterday' } }").first?.sorted()
        == ["1 item is empty and was skipped", Self.unread("published", of: "an item")])
  }

  @Test func `the first run reports that no text is an address`() async throws {
    let warning = "item 2: the text in 'url' is not an address such as https://example.org/1"
    #expect(
      try await logs("return { { id = 1, url = '' }, { id = 2, url = 'no url' } }")
        == [[warning], []])
    #expect(
      try await logs("return { { id = 1 }, { id = 2, url = 'no url', published = 'soon' } }")
        == [[Self.unread("published", of: "item 2"), warning], []])
  }

  @Test(arguments: [
    "return { { id = 1, url = '/a' } }", "return { { id = 1, url = 'https://a.example/a b' } }",
    "return { { id = 1, url = 'no url' }, { id = 2, url = 'https://a.example/' } }",
  ]) func `nothing is reported if a text may be an address`(fetch: String) async throws {
    #expect(try await logs(fetch) == [[], []])
  }

  @Test(arguments: [
    "return { { id = 1, published = '2026-11-20T10:00:00Z' }, { id = 2, published = 'soon' } }",
    "return { { id = 1, published = require('time').iso('20.11.2026') } }",
    "return { { id = 1, published = '' } }", "return { { id = 1, published = '2026-11-20' } }",
  ]) func `nothing is reported if a date can be read`(fetch: String) async throws {
    #expect(try await logs(fetch) == [[], []])
  }
}
