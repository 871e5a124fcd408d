import FetchValues
import Foundation
import Testing

/// Tests of `kill -9` of `fetchrun-web` while runs end. Each client receives each event exactly
/// once.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EventKillTests {
  /// The number of times that the process is killed. It is 5 unless the environment variable
  /// FETCHRUN_EVENT_KILLS has another number.
  private static let killCount =
    ProcessInfo.processInfo.environment["FETCHRUN_EVENT_KILLS"].flatMap { Int($0) } ?? 5

  private static let plugin = """
    return {
      api = 1, name = "event-test", version = "1.0.0", description = "new items in every run",
      interval = "1h",
      fetch = function(ctx)
        ctx.state.run = (ctx.state.run or 0) + 1
        local items = {}
        for number = 1, 20 do
          items[number] = { id = ctx.state.run .. "-" .. number, title = "t", content = ("x"):rep(500) }
        end
        return items
      end,
    }
    """

  @Test func `each client receives each event exactly once, however often the server is killed`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let file = try program.write("event-test.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: s.sqlite
      web: { listen: [], url: https://fetch.example.org }
      jobs:
        - { name: alpha, plugin: \(file) }
        - { name: beta, plugin: \(file) }
      """)
    let socket = program.folder.path + "/s.sqlite.web"
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(for: .output) { $0.count >= 2 })
    var random = SystemRandomNumberGenerator()
    let clients = (0..<3).map { _ in EventListener(after: "0-0") }
    for number in 0..<Self.killCount {
      let web = try started(program, config)
      for client in clients { try client.connect(to: socket) }
      let runs = try program.start(["run", "--config", config])
      // In three of four rounds, the process is killed after a random number of events, possibly
      // between the events of one run. In the other rounds, it is killed immediately.
      let wanted = clients[0].count + Int.random(in: 0...40, using: &random)
      if number % 4 != 3 { try clients[0].read { $0.count >= wanted } }
      web.signal(SIGKILL)
      _ = web.end()
      for client in clients { try client.read { _ in false } }
      #expect(try runs.wait().status == 0)
    }
    let items = try lines(program, config, "items", "--since", "0", "--limit", "100000")
    let runs = try lines(program, config, "runs", "--limit", "100000")
    let web = try started(program, config)
    for client in clients {
      try client.connect(to: socket)
      try client.read { $0.items.count >= items.count && $0.runs.count >= runs.count }
      #expect(client.items == items.map { $0["sequence"]?.integerValue ?? 0 })
      // The list has the order of the runs' starts, and the events have the order of their ends.
      #expect(client.runs.sorted() == runs.map { $0["run"]?.stringValue ?? "" }.sorted())
    }
    #expect(runs.count == 2 + 2 * Self.killCount)
    for process in [web, serving] {
      process.signal(SIGTERM)
      _ = process.end()
    }
  }

  private func started(_ program: Program, _ config: String) throws -> Watched {
    let web = try Watched(program, ["web", "--config", config])
    #expect(web.wait(forMessage: "listening only at the unix socket"))
    return web
  }

  private func lines(_ program: Program, _ config: String, _ words: String...) throws -> [Value] {
    try program.run(words + ["--config", config, "--json"]).lines.map { try JSONReader.decode($0) }
  }
}
