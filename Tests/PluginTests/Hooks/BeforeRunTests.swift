import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `before_run`, and of the parameters that hook files receive in addition to items.
@Suite struct BeforeRunTests {
  static let teller = """
    local json, log = require "json", require "log"
    return {
      options = { greeting = { default = "hello", description = "said first" } },
      before_run = function(run, ctx)
        local last = run.last and run.last.outcome .. " " .. run.last.added or "none"
        log.info(ctx.options.greeting, run.job, run.plugin, run.trigger, run.options.items, last)
      end,
    }
    """

  @Test func `before_run receives the run that begins, and the previous one`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [try await bench.hook(Self.teller, named: "teller")]
    let items = #"[{"id":"1"}]"#
    #expect(
      try await source.run(items).messages == [
        "info hook teller: hello source source manual \(items) none"
      ])
    #expect(
      try await source.run(items).messages == [
        "info hook teller: hello source source manual \(items) newData 1"
      ])
    try await bench.close()
  }

  @Test(arguments: [
    ("error('boom')", "pluginError", "hook.lua:1: boom"),
    ("return nil, 'no mood'", "pluginFailed", "no mood"),
    ("while true do end", "cpuLimit", "hook.lua:1: "),
  ])
  func `a failing before_run is reported, and the run continues`(
    body: String, code: String, message: String
  ) async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook(
        "return { before_run = function(run) \(body) end }", limits: ["cpu": "50ms"])
    ]
    let report = try await source.run(#"[{"id":"1"}]"#)
    #expect(report.record.outcome.counts.added == 1)
    let line = report.messages.first ?? ""
    #expect(
      line.hasPrefix(
        "warning hook hook: before_run failed (\(code)), the run continues: \(message)"), "\(line)")
    try await bench.close()
  }

  @Test func `a hook file may send requests to granted servers, with its own secrets`() async throws
  {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "s3cret-t0ken") }
    defer { server.stop() }
    let bench = try await PluginBench(environment: ["TOKEN": "s3cret-t0ken"])
    var source = try HookedJob(bench)
    source.hooks = [
      try await bench.hook(
        """
        local http, log = require "http", require "log"
        return {
          options = { url = { type = "url", required = true } },
          permissions = {
            http = { "{options.url}" }, secrets = { token = { hosts = { "{options.url}" } } },
          },
          on_item = function(item, run, ctx)
            local response = assert(http.get(ctx.options.url, { bearer = ctx:secret("token") }))
            log.info(response.body)
            item.summary = response.body
            local other, problem, code = http.get("http://other.example/")
            item.title = code
            return item
          end,
        }
        """, options: ValueObject([("url", .string(server.url + "/a"))]),
        secrets: [GivenSecret(name: "token", source: .environment("TOKEN"))])
    ]
    let report = try await source.run(#"[{"id":"1"}]"#)
    #expect(server.requests.map(\.path) == ["/a"])
    #expect(server.requests.first?.header("authorization") == "Bearer s3cret-t0ken")
    #expect(report.news == ["added 1: permission"])
    #expect(report.lines.first?.fields["summary"] == "[secret token]")
    #expect(report.messages == ["info hook hook: [secret token]"])
    try await bench.close()
  }

  @Test func `the time of before_run does not count as the plugin's`() async throws {
    let bench = try await PluginBench()
    var source = try HookedJob(
      bench, fetch: "return { { id = '1', title = tostring(ctx:time_left() > 9) } }")
    source.limits = ["window": "10s"]
    source.hooks = [
      try await bench.hook(
        "return { before_run = function() while true do end end }", limits: ["cpu": "1500ms"])
    ]
    #expect(try await source.run().news == ["added 1: true"])
    try await bench.close()
  }
}
