import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests that the pages for authors of hook files match the code.
@Suite struct DocumentedHooksTests {
  /// The text of the reference page, which contains the tables.
  static let page = text("Reference/HookInterface.md")
  static let guide = text("Using/ScriptingHooks.md")

  private static func text(_ name: String) -> String {
    let path = "Sources/Documentation.docc/" + name
    return (try? String(contentsOf: PluginBench.top.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test(arguments: InterfaceTables.hooks.indices)
  func `the page has each table unchanged`(index: Int) throws {
    let (title, table) = InterfaceTables.hooks[index]
    try InterfaceTests.expect(table, under: title, on: Self.page)
  }

  @Test(arguments: HookFunction.names) func `the page has every function`(name: String) {
    #expect(Self.page.contains("| `\(name)("))
  }

  @Test(arguments: ManifestReader.hookKeys.filter { $0 != "functions" })
  func `the page has every key`(key: String) {
    #expect(Self.page.contains("| `\(key)` | "))
  }

  static let files = (guide + page).split(separator: "```lua\n").dropFirst()
    .map { String($0.prefix(upTo: $0.range(of: "```")?.lowerBound ?? $0.endIndex)) }

  @Test func `the pages have hook files`() { #expect(Self.files.count == 3) }

  @Test(arguments: files) func `check finds no mistake in a hook file on a page`(text: String)
    async throws
  {
    let bench = try await PluginBench()
    let options = ValueObject([("url", "https://example.org/")])
    let hook = try await bench.hook(
      text, options: text.contains("options =") ? options : ValueObject())
    #expect(!hook.file.manifest.functions.isEmpty)
    try await bench.close()
  }

  static let shipped: [String] = {
    let folder = PluginBench.top.appending(path: "plugins/hooks").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted()
  }()

  @Test(arguments: shipped) func `a shipped hook file is in the guide, and small`(file: String)
    throws
  {
    #expect(Self.guide.contains("| `\(file)` |"))
    let text = try String(
      contentsOf: NotifyHookTests.folder.appending(path: file), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 52)
  }

  @Test func `shipped hook files are found by their names`() async throws {
    let bench = try await PluginBench()
    #expect(try await bench.shelf.hook(named: "ntfy").manifest.name == "ntfy")
    let problems = await #expect(throws: PluginProblems.self) {
      try await bench.shelf.hook(named: "ntfi")
    }
    let folder = PluginBench.top.appending(path: "plugins").path
    #expect(
      problems?.all.map(\.message) == [
        "no hook file 'ntfi' (did you mean 'ntfy'?): there is no hooks/ntfi.lua in \(folder)"
      ])
    try await bench.close()
  }

  @Test func `the stubs for editors describe each field correctly`() throws {
    let text = try #require(InterfaceStubs.files.first { $0.name == "plugin.lua" }?.text)
    for line in [
      "---@field job string name of the item's job",
      "---@field code string kind of the failure, for programs: `\"connection\"`, `\"pluginError\"` …",
      "---@field message string one sentence that describes the failure",
      "---@field on_no_data? fun(run: fetchrun.HookRun, ctx: fetchrun.HookContext):"
        + " any, string?, number? after a run without news (`noData`); returns the same as"
        + " `on_new_data`",
    ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
  }

  // MARK: The parameters of a hook file

  /// A hook file that reports its parameters.
  private static let witness = """
    local json, log = require "json", require "log"
    return {
      before_run = function(run) log.info(json.encode { run = run }) end,
      on_new_data = function(run, changes) log.info(json.encode { run = run, change = changes[1] }) end,
      on_failed = function(run, failure) log.info(json.encode { run = run, failure = failure }) end,
    }
    """

  private static func names(_ told: Value?...) -> Set<String> {
    Set(told.flatMap { $0?.objectValue?.members.map(\.key) ?? [] })
  }

  @Test func `a hook file receives exactly the fields on the page`() async throws {
    let bench = try await PluginBench()
    let hook = try await bench.hook(Self.witness)
    var source = try HookedJob(
      bench,
      fetch: """
        if ctx.options.items == '[]' then error('none') end
        return require('json').decode(ctx.options.items)
        """)
    source.hooks = [hook]
    let reports = [try await source.run("[]"), try await source.run(#"[{"id":"1"}]"#)]
    var told = try reports.flatMap(\.logs).map(Self.value)
    let item = try #require(reports[1].lines.first).json
    let payloads = [
      #"{"run":\#(reports[1].record.json),"items":[\#(item)]}"#,
      #"{"run":\#(reports[0].record.json),"failures":3}"#,
      #"{"run":null,"stale":{"what":"newData","since":"2026-11-01T00:00:00Z"}}"#,
    ]
    for (event, payload) in zip([DeliveryEvent.newData, .failed, .stale], payloads) {
      let delivery = Delivery(
        id: 1, hook: "h", job: "source", event: event, payload: payload, key: "k",
        createdAt: Timestamp(seconds: 1_795_000_000))
      let lines = Mutex<[String]>([])
      let events = EventSink { event in
        if let entry = event.entry { lines.withLock { $0.append(entry.line) } }
      }
      let sink = LuaSink(hook, services: bench.pipeline.services, events: events)
      #expect(await sink.deliver(try #require(DeliveryBatch([delivery]))) == .delivered)
      told += try lines.withLock { $0 }.map { try Self.value($0) }
    }
    try await bench.close()
    try #require(told.count == 5)
    let runs = told.map { $0["run"] }
    // No run of a job has both a reason and news.
    #expect(
      Self.names(runs[0], runs[1], runs[2], runs[3]).union(["reason"])
        == HookInterface.fields(of: "fetchrun.HookRun"))
    let failed = Self.names(told[3]["failure"])
    #expect(Self.names(runs[1]?["last"]?["failure"]) == failed)
    #expect(
      failed.union(Self.names(told[4]["failure"]))
        == HookInterface.fields(of: "fetchrun.HookFailure"))
    #expect(Self.names(told[2]["change"]) == HookInterface.fields(of: "fetchrun.HookChange"))
  }

  private static func value(_ line: LogLine) throws -> Value { try value(line.message) }

  private static func value(_ text: String) throws -> Value {
    try JSONReader.decode(String(text.drop { $0 != "{" }))
  }

  @Test(arguments: HookFunction.names + ManifestReader.hookKeys.filter { $0 != "functions" })
  func `the stubs for editors have every key and function of a hook file`(name: String) throws {
    let text = try #require(InterfaceStubs.files.first { $0.name == "plugin.lua" }?.text)
    let stub = try #require(text.firstRange(of: "---@class fetchrun.Hook\n"))
    let end = text[stub.upperBound...].firstRange(of: "---@class")?.lowerBound ?? text.endIndex
    #expect(text[stub.upperBound..<end].contains("---@field \(name)? "))
  }
}
