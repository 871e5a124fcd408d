import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of feeds that a config's hook writes. The shipped plugin `rss` reads each feed again. If
/// xmllint is installed, it also reads each feed that is XML.
@Suite(.timeLimit(.minutes(5))) struct HookFeedTests {
  private let program: Program
  private var feed: String { program.folder.path + "/public.feed" }

  init() throws {
    program = try Program()
    try program.write(
      "list.lua",
      """
      return {
        api = 1, name = "list", version = "1.0.0",
        options = { titles = { type = "list" }, word = { default = "" } },
        fetch = function(ctx)
          local items = {}
          for i, title in ipairs(ctx.options.titles) do
            items[i] = {
              id = title, title = title, url = "https://a.test/?a=1&b=" .. #title,
              content = "<p>" .. title .. ctx.options.word .. "</p>",
              published = "2026-11-20T10:00:00Z",
            }
          end
          return items
        end,
      }
      """)
  }

  /// Runs a config once. Its hook writes a feed, and its plugin returns items with these titles,
  /// newest first.
  private func run(_ titles: [String], format: String, word: String = "") throws {
    let list = try JSONWriter.text(.array(titles.map(Value.string)))
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      hooks:
        - name: feed
          on: [added, updated]
          file: { path: public.feed, format: \(format), items: 4, title: 'A & "B"', \
      url: https://a.test/feed }
      jobs:
        - { name: ships, plugin: ./list.lua, options: { titles: \(list), word: "\(word)" } }

      """)
    let ending = try program.run("run", "--config", config)
    #expect(ending.status == 0 && !ending.messages.contains("again"), "\(ending)")
  }

  /// Returns the items that a reader finds, in the order of the feed.
  private func read() throws -> [Value] {
    let store = program.folder.path + "/reader-\(UUID().uuidString).sqlite"
    let ending = try program.run(
      "--plugin", Program.top.path + "/plugins/rss.lua", "--option", "url=file://\(feed)",
      "--allow-read", feed, "--store", store, "--json")
    #expect(ending.status == 0, "\(ending)")
    let lint = "/usr/bin/xmllint"
    let isXML = try String(contentsOfFile: feed, encoding: .utf8).hasPrefix("<?xml")
    if isXML, FileManager.default.isExecutableFile(atPath: lint) {
      try ChildProcess.run([lint, "--noout", feed])
    }
    // Items are stored oldest first, and listed in that order.
    return try ending.lines.dropLast().reversed().map { try JSONReader.decode($0) }
  }

  private static func titles(_ items: [Value]) -> [String] {
    items.compactMap { $0["title"]?.stringValue }
  }

  @Test(arguments: ["rss", "atom", "jsonfeed"])
  func `a feed has the items of both runs, and never more than its limit`(
    format: String
  ) throws {
    defer { program.remove() }
    let odd = "1 < 2 & \"Größe\" ]]> \u{1}"
    try run([odd, "one"], format: format)
    let first = try read()
    // XML cannot contain control characters.
    let shown = Self.titles(first).map { $0.prefix { $0 != "]" } }
    #expect(shown == ["1 < 2 & \"Größe\" ", "one"], "\(first)")
    #expect(first.contains { $0["url"]?.stringValue == "https://a.test/?a=1&b=3" })
    #expect(first.allSatisfy { $0["publishedAt"] == "2026-11-20T10:00:00Z" }, "\(first)")

    try run(["two", odd, "one"], format: format)
    let second = try read()
    #expect(Self.titles(second).first == "two" && second.count == 3, "\(second)")
    let ids = { (items: [Value]) in Set(items.compactMap { $0["id"]?.stringValue }) }
    #expect(ids(second).isSuperset(of: ids(first)))

    // Without news, nothing is written.
    let before = try FileManager.default.attributesOfItem(atPath: feed)[.systemFileNumber] as? Int
    try run(["two", odd, "one"], format: format)
    let after = try FileManager.default.attributesOfItem(atPath: feed)[.systemFileNumber] as? Int
    #expect(before == after)

    try run(["five", "four", "three", "two"], format: format)
    #expect(Self.titles(try read()) == ["five", "four", "three", "two"])

    // A changed item occurs only once: first in the feed, with its new content.
    try run(["three"], format: format, word: "!")
    let third = try read()
    #expect(Self.titles(third) == ["three", "five", "four", "two"])
    let fields = third.first?["fields"]
    #expect((fields?["content"] ?? fields?["summary"]) == "<p>three!</p>", "\(third)")
    let folder = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    #expect(!folder.contains { $0.hasSuffix(".new") })
  }
}
