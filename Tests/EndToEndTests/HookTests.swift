import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of hooks in the two forms that users write: in a config, and with `--on-new`.
@Suite(.timeLimit(.minutes(5))) struct HookTests {
  private static let plugin = """
    return {
      api = 1, name = "counter", version = "1.0.0",
      options = { count = { type = "integer", default = 1 }, fail = { type = "boolean", default = false } },
      fetch = function(ctx)
        if ctx.options.fail then return nil, "it is broken" end
        local items = {}
        for i = 1, ctx.options.count do
          items[i] = { id = tostring(i), title = "Item " .. i, url = "https://a.test/" .. i }
        end
        return items
      end,
    }
    """

  private let program: Program
  private let store: String

  init() throws {
    program = try Program()
    store = program.store
    try program.write("counter.lua", Self.plugin)
  }

  private func config(_ hooks: String, count: Int = 1, fail: Bool = false) throws -> String {
    let path = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      hooks:
      \(hooks)
      jobs:
        - { name: news, plugin: ./counter.lua, options: { count: \(count), fail: \(fail) } }
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func deliveries(_ arguments: String...) throws -> [Value] {
    let ending = try program.start(["deliveries", "--store", store, "--json"] + arguments).wait()
    #expect(ending.messages == "")
    return try ending.lines.map { try JSONReader.decode($0) }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: program.folder.path + "/" + name, encoding: .utf8)
  }

  @Test func `--on-new runs a command for news, and for no other result`() throws {
    defer { program.remove() }
    let log = program.folder.path + "/log"
    let command = """
      { echo "$FETCHRUN_EVENT $FETCHRUN_COUNT $FETCHRUN_TITLE $FETCHRUN_JOB"; cat; } >> \(log)
      """
    let plugin = program.folder.path + "/counter.lua"
    func run(_ count: Int) throws -> Program.Ending {
      try program.run(
        "--plugin", plugin, "--job", "news", "--option", "count=\(count)", "--store", store,
        "--on-new", command)
    }
    #expect(try run(2).status == 0)
    #expect(try run(2).status == 0)
    let ending = try run(3)
    #expect(ending.status == 0)
    #expect(!ending.messages.contains("outbox"))
    let lines = try text("log").split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0] == "newData 2 Item 2 news")
    #expect(lines[2] == "newData 1 Item 3 news")
    let first = try JSONReader.decode(lines[1])
    #expect(first["run"]?["outcome"] == "newData")
    let stored = try program.run("items", "--store", store, "--since", "0", "--json").lines
    let told = (first["items"]?.arrayValue ?? []).compactMap { try? JSONWriter.text($0) }
    #expect(told == Array(stored.prefix(2)))
    #expect(try deliveries().isEmpty)
  }

  @Test(arguments: ["", " "]) func `--on-new without a command is refused, and nothing runs`(
    command: String
  ) throws {
    defer { program.remove() }
    let ending = try program.run(
      "--plugin", program.folder.path + "/counter.lua", "--store", store, "--on-new", command)
    #expect(ending.status == 64)
    #expect(ending.messages.contains("--on-new is empty: add a shell command"))
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test func `a failed delivery to a command waits, is shown, and is retried by the next run`()
    throws
  {
    defer { program.remove() }
    let flag = program.folder.path + "/up"
    let config = try config(
      "  - { name: say, command: { run: 'test -e \(flag) && cat >> \(flag)', shell: true } }")
    let first = try program.run("run", "--config", config)
    #expect(first.status == 0)
    #expect(
      first.messages.contains(
        "fetchrun: hook 'say': delivery 1 of news is retried: the command ended with status 1"))
    #expect(
      first.messages.contains(
        "fetchrun: 1 delivery waits in the outbox for a later run: see fetchrun deliveries "
          + "--config \(config)\n"))
    let waiting = try deliveries()
    #expect(waiting.count == 1)
    #expect(waiting[0]["hook"] == "say")
    #expect(waiting[0]["state"] == "pending")
    #expect(waiting[0]["failure"] == "the command ended with status 1")
    let status = try program.run("status", "--config", config)
    #expect(
      status.messages.contains(
        "deliveries: 1 waiting; see fetchrun deliveries --config \(config)\n"))
    try "".write(toFile: flag, atomically: false, encoding: .utf8)
    let retried = try program.run("deliveries", "--store", store, "retry", "1")
    #expect(retried.output == "1: pending\n")
    #expect(retried.status == 0)
    #expect(try program.run("run", "--config", config).status == 0)
    let told = try JSONReader.decode(text("up"))
    #expect(told["id"] == waiting[0]["key"])
    #expect(try deliveries().isEmpty)
    let none = try program.run("deliveries", "--store", store, "drop", "1")
    #expect(none.status == 1)
    #expect(none.messages == "fetchrun: there is no delivery 1\n")
  }

  @Test func `a delivery that can never succeed fails immediately, is listed, and can be dropped`()
    throws
  {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(410) }
    defer { server.stop() }
    let config = try config(
      "  - { name: gone, webhook: { url: '\(server.url)', allow_private: true } }")
    let ending = try program.run("run", "--config", config)
    #expect(ending.status == 0)
    #expect(
      ending.messages.contains(
        "fetchrun: hook 'gone': delivery 1 of news was given up: 127.0.0.1:\(server.port) answered "
          + "410; see fetchrun deliveries --config \(config) --failed"))
    #expect(try deliveries("--failed").map { $0["state"] } == ["dead"])
    #expect(try program.run("deliveries", "--store", store, "drop", "1").output == "1: dropped\n")
    #expect(try deliveries().isEmpty)
  }

  @Test func `a delivery that waits for a retry can be dropped, and is then not counted`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(500) }
    defer { server.stop() }
    let config = try config(
      "  - { name: down, webhook: { url: '\(server.url)', allow_private: true } }")
    #expect(try program.run("run", "--config", config).status == 0)
    #expect(try deliveries().map { $0["state"] } == ["pending"])
    #expect(try program.run("deliveries", "--store", store, "drop", "1").output == "1: dropped\n")
    #expect(try deliveries().isEmpty)
  }

  @Test func `the third failure in a row is reported, and the recovery`() throws {
    defer { program.remove() }
    let hooks = "  - { name: log, on: [failed, recovered, noData], file: log.jsonl }"
    for _ in 1...4 { _ = try program.run("run", "--config", try config(hooks, fail: true)) }
    #expect(try program.run("run", "--config", try config(hooks)).status == 0)
    #expect(try program.run("run", "--config", try config(hooks)).status == 0)
    let events = try text("log.jsonl").split(separator: "\n").map {
      try JSONReader.decode(String($0))
    }
    #expect(events.map { $0["event"] } == ["failed", "recovered", "noData"])
    #expect(events.map { $0["failures"] } == [3, 4, nil])
    #expect(events[0]["run"]?["failure"]?["message"] == "it is broken")
  }

  @Test func `a daemon delivers as runs end, and retries on request`() throws {
    defer { program.remove() }
    let status = Mutex(503)
    let server = try ScriptedServer { _, connection in
      connection.answer(status.withLock { $0 }, ["Retry-After: 3600"])
    }
    defer { server.stop() }
    let config = try config(
      "  - { name: team, webhook: { url: '\(server.url)', allow_private: true } }")
    let daemon = try program.start(["serve", "--config", config])
    let message = try daemon.firstMessage { $0.contains("is retried") }
    #expect(
      message
        == "fetchrun: hook 'team': delivery 1 of news is retried: 127.0.0.1:\(server.port) "
        + "answered 503")
    status.withLock { $0 = 204 }
    let retried = try program.run("deliveries", "--config", config, "retry", "1")
    #expect(retried.output == "1: pending\n")
    while server.requests.count < 2 { sched_yield() }
    let keys = server.requests.map { $0.header("webhook-id") }
    #expect(keys[0] == keys[1])
    while try !deliveries().isEmpty {}
    let none = try program.run("deliveries", "--config", config, "retry", "1")
    #expect(none.status == 1)
    #expect(none.messages == "fetchrun: there is no delivery 1\n")
    daemon.process.terminate()
    _ = try daemon.wait()
  }

  @Test func `runs without hooks leave the outbox empty`() throws {
    defer { program.remove() }
    let ending = try program.run(
      "--plugin", program.folder.path + "/counter.lua", "--store", store)
    #expect(ending.status == 0)
    #expect(try deliveries().isEmpty)
  }

  @Test func `the example notifies as its text describes`() throws {
    defer { program.remove() }
    let examples = Program.top.path + "/examples"
    let environment = [
      "EXAMPLE_FOLDER": program.folder.path, "EXAMPLE_FEEDS": examples,
      "EXAMPLE_FEED": "file://\(examples)/top-news.xml",
    ]
    let config = examples + "/hooks.yaml"
    let ending = try program.run("run", "--config", config, environment: environment)
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("newData  top-news  20 added"))
    #expect(try text("news.jsonl").split(separator: "\n").count == 20)
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/trouble.jsonl"))
    let feed = program.folder.path + "/news.xml"
    let again = try program.run(
      "--plugin", Program.top.path + "/plugins/rss.lua", "--option", "url=file://\(feed)",
      "--allow-read", feed, "--store", program.folder.path + "/other.sqlite", "--json")
    #expect(again.status == 0)
    #expect(again.lines.count == 21)
    let stored = try program.run("items", "--store", program.folder.path + "/news.sqlite", "--json")
    let titles = try stored.lines.map { try JSONReader.decode($0)["title"] }
    let told = try again.lines.dropLast().map { try JSONReader.decode($0)["title"] }
    #expect(Set(told.compactMap { $0?.stringValue }) == Set(titles.compactMap { $0?.stringValue }))
  }

  // MARK: Kills

  /// The semaphores with which a test delays the answer of a receiver: `asked` reports a request,
  /// and
  private final class Gate: Sendable {
    let asked = DispatchSemaphore(value: 0)
    let answers = DispatchSemaphore(value: 0)
  }

  @Test func `a delivery whose record a kill prevented is repeated with the same key`()
    throws
  {
    defer { program.remove() }
    let gate = Gate()
    let server = try ScriptedServer { _, connection in
      gate.asked.signal()
      gate.answers.wait()
      connection.answer(204)
    }
    defer { server.stop() }
    let config = try config(
      "  - { name: hold, webhook: { url: '\(server.url)', allow_private: true } }")
    let running = try program.start(["run", "--config", config])
    gate.asked.wait()
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    gate.answers.signal()
    let waiting = try deliveries()
    #expect(waiting.count == 1)
    gate.answers.signal()
    #expect(try program.run("run", "--config", config).status == 0)
    let keys = server.requests.map { $0.header("Idempotency-Key") }
    #expect(keys.count == 2)
    #expect(keys[0] == keys[1])
    #expect(waiting[0]["key"]?.stringValue == keys[0])
    #expect(server.requests[0].body == server.requests[1].body)
    #expect(try deliveries().isEmpty)
  }

  @Test func `a kill of the program also ends the running command with all its processes`()
    throws
  {
    defer { program.remove() }
    let pipe = program.folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    // A process that closes its descriptors and continues in the background also ends.
    let command =
      "exec 9> \(pipe); echo $$ >&9; sleep 1000 > /dev/null 2>&1 & trap 'kill 0' EXIT; sleep 1000; true"
    let config = try config("  - { name: long, command: { run: \"\(command)\", shell: true } }")
    let running = try program.start(["run", "--config", config])
    let file = try #require(FileHandle(forReadingAtPath: pipe))
    let line = file.availableData
    let process = try #require(
      Int32(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)))
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    // The pipe reaches its end when no process holds it open.
    #expect(file.availableData.isEmpty)
    while kill(process, 0) == 0 { sched_yield() }
    #expect(try deliveries().map { $0["state"] } == ["pending"])
  }

  @Test func `a delivery that a kill after the commit prevented is made once, later`() throws {
    defer { program.remove() }
    let flag = program.folder.path + "/begun"
    // The first hook shows that the run is committed, and then blocks. The digest is not due before
    // the kill. The second config has a shorter digest.
    let config = try config(
      """
        - { name: first, command: { run: 'touch \(flag); sleep 1000', shell: true } }
        - { name: later, digest: 1d, file: later.jsonl }
      """)
    let running = try program.start(["run", "--config", config])
    while !FileManager.default.fileExists(atPath: flag) { sched_yield() }
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    #expect(try deliveries().filter { $0["hook"] == "later" }.count == 1)
    let file = program.folder.path + "/later.jsonl"
    #expect(!FileManager.default.fileExists(atPath: file))
    let second = try self.config("  - { name: later, digest: 1s, file: later.jsonl }")
    #expect(try program.run("run", "--config", second).status == 0)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines[0].contains("Item 1"))
  }

  @Test func `a kill before the commit stores and delivers nothing, and the next run does both`()
    throws
  {
    defer { program.remove() }
    let gate = Gate()
    let server = try ScriptedServer { _, connection in
      gate.asked.signal()
      gate.answers.wait()
      connection.answer(200, [], "x")
    }
    defer { server.stop() }
    try program.write(
      "counter.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "counter", version = "1.0.0", permissions = { http = { "127.0.0.1:*" } },
        options = { count = { type = "integer" }, fail = { type = "boolean" } },
        fetch = function(ctx)
          local answer = assert(http.get("\(server.url)/"))
          return { { id = "1", title = answer.body } }
        end,
      }
      """)
    let config = try config("  - { name: log, file: log.jsonl }")
    let running = try program.start(["run", "--config", config, "--allow-private"])
    gate.asked.wait()
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    gate.answers.signal()
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/log.jsonl"))
    gate.answers.signal()
    #expect(try program.run("run", "--config", config, "--allow-private").status == 0)
    let lines = try text("log.jsonl").split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines[0].contains(#""title":"x""#))
  }
}
