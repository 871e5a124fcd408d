import FetchTestSupport
import FetchValues
import Testing

/// Tests of plugins that request many pages of one hostname, with a gap between two requests.
@Suite(.serialized) struct TurnWaitRunTests {
  let program: Program
  let server: ScriptedServer

  init() throws {
    program = try Program()
    server = try ScriptedServer { _, connection in connection.answer(200, [], "{}") }
  }

  private func end() {
    server.stop()
    program.remove()
  }

  /// Runs a plugin that requests pages and returns one item, whose title is the remaining time of
  /// the run's window.
  private func run(pages: Int, limits: String) throws -> Program.Ending {
    let plugin = try program.write(
      "pages.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "pages", version = "1", permissions = { http = { "127.0.0.1:*" } },
        fetch = function(ctx)
          for page = 1, \(pages) do assert(http.get("\(server.url)/" .. page)) end
          return { { id = "left", title = string.format("%.3f", ctx:time_left()) } }
        end,
      }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      """
      lanes: {"*": {gap: 1s}}
      jobs: [{name: pages, plugin: \(plugin), limits: \(limits)}]

      """)
    return try program.run("run", "--config", config, "--allow-private", "--json")
  }

  @Test func `waits for turns do not shorten the window`() throws {
    defer { end() }
    let ending = try run(pages: 6, limits: "{window: 4s}")
    #expect(ending.status == 0, "\(ending)")
    #expect(server.requests.count == 6)
    let record = try JSONReader.decode(try #require(ending.lines.last))
    #expect(try #require(record["durationSeconds"]?.numberValue) > 4.5)
    let items = try program.run("items", "--json")
    let item = try JSONReader.decode(try #require(items.lines.first))
    let left = try #require(item["title"]?.stringValue.flatMap(Double.init))
    #expect(left > 0 && left < 4)
  }

  @Test func `waits for turns do not shorten the window of a hook's call`() throws {
    defer { end() }
    try program.write("one.lua", HookFileTests.source)
    try program.write(
      "asker.lua",
      """
      local http = require "http"
      return {
        permissions = { http = { "127.0.0.1:*" } }, timeout = "4s",
        on_new_data = function(run, changes, ctx)
          for page = 1, 6 do assert(http.get("\(server.url)/" .. page)) end
          assert(http.get("\(server.url)/left/" .. string.format("%.3f", ctx:time_left())))
        end,
      }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      """
      plugins: [.]
      lanes: {"*": {gap: 1s}}
      hooks: [{name: asker, lua: ./asker.lua}]
      jobs: [{name: one, plugin: one}]

      """)
    let ending = try program.run("run", "--config", config, "--allow-private")
    #expect(ending.status == 0, "\(ending)")
    #expect(server.requests.count == 7, "\(ending)")
    let path = try #require(server.requests.last?.path)
    let left = try #require(Double(path.dropFirst("/left/".count)))
    #expect(left > 0 && left < 4)
    #expect(try program.run("deliveries", "--config", config, "--json").lines.isEmpty)
  }

  @Test func `the waits of a run that makes requests without end are also bounded`() throws {
    defer { end() }
    let ending = try run(pages: 900, limits: "{window: 1s, waiting: 1s}")
    #expect(ending.status == 1)
    let record = try JSONReader.decode(try #require(ending.lines.last))
    let failure = record["failure"]
    #expect(
      failure?["code"]?.stringValue == "timeLimit" || failure?["code"]?.stringValue == "httpTimeout"
    )
    #expect(try #require(record["durationSeconds"]?.numberValue) < 10)
    #expect(server.requests.count < 40)
  }
}
