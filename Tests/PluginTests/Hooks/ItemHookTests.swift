import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `on_item`, by which hook files change items before the items are identified and
/// compared.
@Suite struct ItemHookTests {
  static let three =
    #"[{"id":"c","title":"C"},{"id":"b","title":"advert B"},{"id":"a","title":"A"}]"#

  static let filter = """
    return { on_item = function(item)
      if item.title:find("^advert") then return nil end
      return item
    end }
    """

  @Test func `items are changed and dropped before they are compared`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook(Self.filter),
      try await bench.hook(
        """
        return { on_item = function(item, run)
          item.title = run.job .. " " .. item.title:lower()
          item.tags, item.extra = { "t" }, { deep = { 1, 2.5, true } }
          return item
        end }
        """),
    ]
    let first = try await source.run(Self.three)
    #expect(first.news == ["added a: source a", "added c: source c"])
    #expect(first.messages == [])
    #expect(first.lines[0].fields["tags"] == ["t"])
    #expect(first.lines[0].fields["extra"] == ["deep": [1, 2.5, true]])

    let again = try await source.run(Self.three)
    #expect(again.record.outcome == .noData(.sameItems))
    let edited = try await source.run(Self.three.replacing("advert B", with: "advert new"))
    #expect(edited.record.outcome == .noData(.sameItems), "a dropped item is never news")
    try await bench.close()
  }

  @Test func `hooks are called in the config's order, each with the result of the previous one`()
    async throws
  {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    for letter in ["x", "y", "z"] {
      source.hooks.append(
        try await bench.hook(
          "return { on_item = function(i) i.title = i.title .. '\(letter)' return i end }",
          named: letter))
    }
    let report = try await source.run(#"[{"id":"1","title":"-"}]"#)
    #expect(report.news == ["added 1: -xyz"])
    try await bench.close()
  }

  @Test func `a run whose items are all dropped has no data`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [try await bench.hook("return { on_item = function() end }")]
    let report = try await source.run(Self.three)
    #expect(report.record.outcome == .noData(.empty))
    try await bench.close()
  }

  // MARK: Whole sets

  @Test func `a dropped item of a whole result is never added, and removed only once`()
    async throws
  {
    let bench = try await PluginBench()
    var source = try HookedJob(bench, manifest: "items = { complete = true },")
    let filter = try await bench.hook(Self.filter)
    source.hooks = [filter]
    #expect(try await source.run(Self.three).news == ["added a: A", "added c: C"])
    for _ in 0..<2 { #expect(try await source.run(Self.three).news == []) }

    source.hooks = []
    #expect(try await source.run(Self.three).news == ["added b: advert B"])
    source.hooks = [filter]
    #expect(try await source.run(Self.three).news == ["removed b"])
    for _ in 0..<2 { #expect(try await source.run(Self.three).news == []) }
    try await bench.close()
  }

  @Test func `a hook that fails removes no item from a whole result`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench, manifest: "items = { complete = true },")
    let renames = """
      return { on_item = function(item)
        if item.title == "bad" then error("cannot") end
        item.id = "n-" .. item.id
        return item
      end }
      """
    source.hooks = [try await bench.hook(renames)]
    let list = #"[{"id":"a","title":"A"},{"id":"b","title":"B"}]"#
    #expect(try await source.run(list).news == ["added n-b: B", "added n-a: A"])
    let broken = try await source.run(list.replacing("B", with: "bad"))
    #expect(broken.news == ["added b: bad"], "n-b is not there, and yet not removed")
    #expect(
      broken.messages == ["warning hook hook: on_item: item 2: hook.lua:2: cannot"])
    #expect(try await source.run(list).news == ["removed b"])
    try await bench.close()
  }

  // MARK: Mistakes in single items

  static let junk: [(body: String, message: String)] = [
    ("error('no such luck')", "item 2: hook.lua:2: no such luck"),
    ("error({ 1 })", "item 2: table"),
    (
      "local x = item.missing.field",
      "item 2: hook.lua:2: attempt to index a nil value (field 'missing')"
    ),
    ("return 7", "item 2: on_item returned a number; it must return the item, or nil to drop it"),
    (
      "return 'text'",
      "item 2: on_item returned a string; it must return the item, or nil to drop it"
    ),
    ("item.n = 0/0 return item", "item 2: n: a number that is not finite cannot be sent"),
    ("item.f = type return item", "item 2: f: a function cannot be sent"),
    ("item.self = item return item", "item 2: self: a table that contains itself cannot be sent"),
    ("item.title = {} return item", "item 2 'title': string expected, got table"),
    ("item.title = '\\xff' return item", "item 2: 'title' contains invalid UTF-8"),
    (
      "return {}",
      "item 2 has no fields; an item is a table such as { id = …, title = …, url = … }"
    ),
    (
      "return { item, item }",
      "item 2 is a list; an item is a table such as { id = …, title = …, url = … }"
    ),
  ]

  @Test(arguments: junk.indices)
  func `an item stays unchanged if the hook fails on it, and the others are processed`(index: Int)
    async throws
  {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook(
        """
        return { on_item = function(item) if item.id == "b" then
          \(Self.junk[index].body)
        end item.title = item.title .. "!" return item end }
        """)
    ]
    let report = try await source.run(Self.three)
    #expect(report.news == ["added a: A!", "added b: advert B", "added c: C!"])
    #expect(report.messages.count == 1)
    let message = report.messages.first ?? ""
    #expect(message == "warning hook hook: on_item: \(Self.junk[index].message)")
    try await bench.close()
  }

  @Test func `the first mistakes are reported, and the others are counted`()
    async throws
  {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [try await bench.hook("return { on_item = function(i) error('no', 0) end }")]
    let items = (1...500).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    let report = try await source.run("[\(items)]")
    #expect(report.record.outcome.counts.added == 500)
    #expect(
      report.messages == [
        "warning hook hook: on_item: item 1: no", "warning hook hook: on_item: item 2: no",
        "warning hook hook: on_item: item 3: no",
        "warning hook hook: on_item: 497 more items failed",
      ])
    try await bench.close()
  }

  // MARK: Checkpoints

  @Test func `a checkpoint stores items after the hooks`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(
      bench,
      fetch: """
        ctx:emit { id = "1", title = "advert" } ctx:emit { id = "2", title = "two" } ctx:checkpoint()
        ctx:emit { id = "3", title = "advert" } ctx:emit { id = "4", title = "four" }
        """)
    source.hooks = [try await bench.hook(Self.filter)]
    #expect(try await source.run().news == ["added 2: two", "added 4: four"])
    #expect(try await source.run().record.outcome == .noData(.sameItems))
    try await bench.close()
  }

  // MARK: Unchanged bodies

  @Test func `an unchanged body is read again after the filter has changed`() async throws {
    let server = try ScriptedServer { request, connection in
      request.header("if-none-match") == "\"1\""
        ? connection.answer(304, ["ETag: \"1\""])
        : connection.answer(200, ["ETag: \"1\""], Self.three)
    }
    defer { server.stop() }
    let bench = try await PluginBench()
    var source = try HookedJob(
      bench, manifest: "permissions = { http = { '127.0.0.1:*' } },",
      fetch: """
        local response = assert(require("http").get("\(server.url)/"))
        return not response.not_modified and response:json() or {}
        """)
    source.hooks = [try await bench.hook(Self.filter)]
    #expect(try await source.run().news == ["added a: A", "added c: C"])
    #expect(try await source.run().record.outcome == .noData(.notModified))
    source.hooks = []
    #expect(try await source.run().news == ["added b: advert B"])
    try await bench.close()
  }
}
