import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of hook files that do not load. Their deliveries wait, and all other work continues.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnloadedHookTests {
  let program: Program
  let server: ScriptedServer
  private let config: String

  init() throws {
    program = try Program()
    server = try ScriptedServer { _, connection in connection.answer(204) }
    config = program.folder.path + "/fetchrun.yaml"
    try program.write("source.lua", HookFileTests.source)
    try program.write(
      "fetchrun.yaml",
      """
      plugins: [.]
      store: store.sqlite
      hooks: [{name: desk, lua: ./desk.lua}]
      jobs: [{name: one, plugin: source, interval: 1h}]

      """)
  }

  private func end() {
    server.stop()
    program.remove()
  }

  private static let broken = "return {\n  on_new_data == function() end\n}\n"

  /// A hook file that posts the number of changes to the server.
  private var good: String {
    """
    local http = require "http"
    return {
      permissions = { http = { "127.0.0.1:*" } },
      on_new_data = function(run, changes)
        return http.post("\(server.url)/" .. #changes, { body = "" })
      end,
    }
    """
  }

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.start(words + ["--config", config]).wait()
  }

  private func serve() throws -> Watched {
    let daemon = try Watched(program, ["serve", "--json", "--config", config, "--allow-private"])
    #expect(daemon.wait(forMessage: "serving "))
    return daemon
  }

  private func stop(_ daemon: Watched) {
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }

  private var sentence: String {
    "its file does not load: undefined global 'on_new_data' (\(program.folder.path)/./desk.lua:2)"
  }

  @Test func `a daemon keeps the deliveries, and makes them when the file loads again`() throws {
    defer { end() }
    try program.write("desk.lua", Self.broken)
    let daemon = try serve()
    defer { daemon.signal(SIGKILL) }
    daemon.wait(for: .output) { $0.count == 1 }
    #expect(daemon.output[0].contains("\"outcome\":\"newData\""))
    let fault = try #require(
      try daemon.messages.map { try JSONReader.decode($0) }.first { $0["level"] == "error" })
    #expect(
      fault["message"]?.stringValue
        == "hook 'desk' is not called and its deliveries wait: \(sentence)")
    #expect(daemon.wait(forMessage: "hook 'desk': deliveries wait: its file does not load"))
    let waiting = try JSONReader.decode(try #require(fetchrun("deliveries", "--json").lines.first))
    #expect(waiting["state"] == "pending")
    #expect(waiting["failure"]?.stringValue == sentence)
    let explained = try fetchrun("explain", "one")
    #expect(
      explained.output.contains(
        "Its hook desk is not called: \(sentence). The hook's deliveries wait until this is"
          + " corrected; a daemon retries when the file changes."), "\(explained)")
    #expect(try program.run("check", config).status == 78)

    try program.write("desk.lua", good)
    #expect(daemon.wait(forMessage: "hook 'desk': its file can now be loaded"))
    while server.requests.isEmpty { sched_yield() }
    #expect(server.requests.map(\.path) == ["/3"])
    while try !fetchrun("deliveries", "--json").lines.isEmpty { sched_yield() }
    #expect(try !fetchrun("explain", "one").output.contains("desk"))
    stop(daemon)
  }

  @Test func `a reload with an invalid hook file succeeds, and a missing file is watched for`()
    throws
  {
    defer { end() }
    try program.write("desk.lua", good)
    let daemon = try serve()
    defer { daemon.signal(SIGKILL) }
    while server.requests.isEmpty { sched_yield() }
    try FileManager.default.removeItem(atPath: program.folder.path + "/desk.lua")
    try program.write(
      "source.lua", HookFileTests.source.replacing("\"advert\"", with: "\"advert\", \"d\""))
    daemon.signal(SIGHUP)
    #expect(daemon.wait(forMessage: "hook 'desk' is not called and its deliveries wait: "))
    #expect(daemon.wait(forMessage: "config reloaded: 1 job"))
    #expect(try fetchrun("run", "one").status == 0)
    #expect(daemon.wait(forMessage: "hook 'desk': deliveries wait: "))
    try program.write("desk.lua", good)
    while server.requests.count < 2 { sched_yield() }
    #expect(server.requests.map(\.path) == ["/3", "/1"])
    stop(daemon)
  }

  @Test func `items pass a filter that does not load unchanged, and the run's log reports that`()
    throws
  {
    defer { end() }
    try program.write("desk.lua", "return { on_item = function(item) == end }")
    let daemon = try serve()
    defer { daemon.signal(SIGKILL) }
    daemon.wait(for: .output) { $0.count == 1 }
    #expect(daemon.output[0].contains("\"added\":3"))
    #expect(
      daemon.wait(
        forMessage: "hook desk: on_item failed (invalidPlugin), the remaining items stay"
          + " unchanged: its file does not load: "))
    try program.write(
      "desk.lua",
      "return { on_item = function(item) item.title = item.title .. '!' return item end }")
    #expect(daemon.wait(forMessage: "hook 'desk': its file can now be loaded"))
    #expect(try fetchrun("run", "one").output.contains("3 updated"))
    stop(daemon)
  }

  @Test func `run runs the jobs and reports the mistake, and a later run makes the deliveries`()
    throws
  {
    defer { end() }
    try program.write("desk.lua", Self.broken)
    let first = try fetchrun("run", "--allow-private")
    #expect(first.status == 1)
    #expect(first.output.contains("newData  one  3 added"))
    #expect(
      first.messages.contains(
        "fetchrun: hook 'desk' is not called and its deliveries wait: \(sentence)\n"), "\(first)")
    try program.write("desk.lua", good)
    let second = try fetchrun("run", "--allow-private")
    #expect(second.status == 0, "\(second)")
    #expect(server.requests.map(\.path) == ["/3"])
  }
}
