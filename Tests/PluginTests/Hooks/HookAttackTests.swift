import FetchEngine
import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of hook files that misbehave. Such a hook file affects no other work. The run continues,
/// and the remaining items stay unchanged.
@Suite struct HookAttackTests {
  /// The code of `on_item`, the limits of the hook, and the report of its end.
  static let attacks: [(name: String, body: String, limits: Value, told: String)] = [
    (
      "endless loop", "while true do end", ["cpu": "50ms"],
      "on_item failed (cpuLimit), the remaining items stay unchanged: hook.lua:1: "
    ),
    (
      "endless loop in pcall", "while true do pcall(function() while true do end end) end",
      ["cpu": "50ms"],
      "on_item failed (cpuLimit), the remaining items stay unchanged: hook.lua:1: "
    ),
    (
      "memory bomb", "local all = {} while true do all[#all + 1] = ('x'):rep(1e6) end",
      ["memoryBytes": "8MB"],
      "on_item failed (memoryLimit), the remaining items stay unchanged: "
    ),
    (
      "items bomb", "item.content = ('x'):rep(2^20) return item", ["memoryBytes": "64MB"],
      "on_item failed (resultLimit), the remaining items stay unchanged: "
    ),
    (
      "log flood", "require('log').info(('x'):rep(1000)) return item", [:],
      "on_item failed (logLimit), the remaining items stay unchanged: "
    ),
  ]

  @Test(arguments: attacks.indices) func `an attack by a hook file ends the hook, not the run`(
    index: Int
  )
    async throws
  {
    let attack = Self.attacks[index]
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    let text = "return { on_item = function(item) \(attack.body) end }"
    source.hooks = [try await bench.hook(text, limits: attack.limits)]
    let items = (1...100).map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
    let report = try await source.run("[\(items)]")
    #expect(report.record.outcome.counts.added == 100)
    #expect(report.news.allSatisfy { $0.hasSuffix(": t") })
    #expect(
      report.messages.contains { $0.hasPrefix("warning hook hook: \(attack.told)") },
      "\(report.messages.suffix(2))")

    // The same pool continues with other hooks.
    source.hooks = [
      try await bench.hook("return { on_item = function(i) i.title = 'fine' return i end }")
    ]
    #expect(try await source.run(#"[{"id":"1","title":"t"}]"#).news == ["updated 1: fine"])
    try await bench.close()
  }

  @Test func `a hook that waits is ended by its own window`() async throws {
    let server = try ScriptedServer { _, connection in connection.waitUntilClientCloses() }
    defer { server.stop() }
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook(
        """
        return {
          permissions = { http = { "127.0.0.1:*" } },
          -- A loop, because a request may time out a moment before the hook does.
          on_item = function(item) while true do require("http").get("\(server.url)/") end end,
        }
        """, limits: ["window": "200ms"])
    ]
    let report = try await source.run(#"[{"id":"1"}]"#)
    #expect(report.news == ["added 1"])
    #expect(report.messages.count == 1)
    #expect(report.messages.first?.contains("on_item failed (timeLimit)") == true)
    try await bench.close()
  }

  @Test func `changes that a hook made before its end are kept`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    let text = """
      local count = 0
      return { on_item = function(item)
        count = count + 1
        while count == 450 do end
        item.title = "done"
        return item
      end }
      """
    source.hooks = [try await bench.hook(text, limits: ["cpu": "200ms"])]
    let items = (1...600).map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
    let report = try await source.run("[\(items)]")
    #expect(report.record.outcome.counts.added == 600)
    // Two batches of 200 were returned.
    #expect(report.news.count { $0.hasSuffix(": done") } == 400)
    #expect(report.messages.count == 1)
    try await bench.close()
  }

  @Test func `items with equal ids are not lost`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook("return { on_item = function(i) i.id = 'same' return i end }")
    ]
    let list = #"[{"id":"1","title":"A"},{"id":"2","title":"B"},{"id":"3","title":"C"}]"#
    #expect(try await source.run(list).record.outcome.counts.added == 3)
    #expect(try await source.run(list).record.outcome == .noData(.sameItems))
    try await bench.close()
  }

  @Test func `a hook file has its own process`() async throws {
    let bench = try await PluginBench()
    let workers = bench.workers
    var source = try HookedJob(bench)
    source.hooks = [try await bench.hook("return { on_item = function(i) return i end }")]
    _ = try await source.run(#"[{"id":"1"}]"#)
    let path = source.hooks[0].file.source.name
    let processes = await workers.status().filter { $0.plugin == path || $0.plugin == "source" }
    #expect(Set(processes.map(\.process)).count == processes.count)
    #expect(processes.contains { $0.plugin == path })
    try await bench.close()
  }

  @Test(arguments: [
    ("require('files').read('a')", "files.read"), ("ctx:checkpoint()", "checkpoint"),
    ("ctx:emit {}", "emit"), ("ctx.state = {}", "state"), ("ctx:transfer {}", "transfer"),
  ])
  func `a hook file has no files and no state, and its only result is the item`(
    body: String, name: String
  ) async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook(
        "return { on_item = function(item, run, ctx) \(body) return item end }")
    ]
    let report = try await source.run(#"[{"id":"1"}]"#)
    #expect(report.news == ["added 1"])
    #expect(report.messages.count == 1)
    #expect(report.messages.first?.contains("'\(name)'") == true, "\(report.messages)")
    try await bench.close()
  }
}
