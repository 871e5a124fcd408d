import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests that kill `fetchrun-web` again and again while clients read and start runs through it. No
/// run, item or delivery may be lost or repeated. `FETCHRUN_WEB_KILLS=1000 swift test --filter
/// WebKillTests` sets the number of kills.
@Suite(.timeLimit(.minutes(60))) struct WebKillTests {
  private static let killCount =
    ProcessInfo.processInfo.environment["FETCHRUN_WEB_KILLS"].flatMap { Int($0) } ?? 20
  private static let clientCount = 4
  /// The number of answers that the clients receive before the next kill.
  private static let answersPerLife = 6

  private let program: Program
  private let config: String
  private var socket: String { program.folder.path + "/s.sqlite.web" }

  /// A plugin that finds one new item in each run. The items therefore show whether runs were lost
  /// or stored twice.
  private static let plugin = """
    return {
      api = 1, name = "counter", version = "1.0.0", interval = "1h",
      fetch = function(ctx)
        ctx.state.run = (ctx.state.run or 0) + 1
        return { { id = "i" .. ctx.state.run, title = "Item " .. ctx.state.run } }
      end,
    }
    """

  init() throws {
    program = try Program()
    let file = try program.write("counter.lua", Self.plugin)
    config = try program.write(
      "fetchrun.yaml",
      """
      store: s.sqlite
      web: { listen: [], url: https://fetch.example.org }
      hooks: [ { name: log, file: news.jsonl } ]
      jobs:
        - { name: one, plugin: \(file) }
        - { name: two, plugin: \(file) }
      """)
  }

  @Test func `no run, item or delivery differs when the server is killed under load`() throws {
    defer { program.remove() }
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 2 jobs"))
    let load = Load(at: socket)
    defer { load.end() }
    for number in 0..<Self.clientCount { load.begin(number) }
    for kill in 0..<Self.killCount {
      let web = try Watched(program, ["web", "--config", config])
      try #require(web.wait(forMessage: "listening only at the unix socket"), "kill \(kill)")
      try #require(load.waits(for: Self.answersPerLife), "kill \(kill): \(load.facts)")
      web.signal(SIGKILL)
      #expect(web.end() == 128 + SIGKILL)
    }
    load.end()
    let facts = load.facts
    #expect(facts.answerCount >= Self.killCount * Self.answersPerLife, "\(facts)")
    #expect(facts.startedCount > 0 && facts.faults.isEmpty, "\(facts)")

    // A job has one run at a time, so all earlier runs have ended when these runs end.
    for job in ["one", "two"] {
      #expect(try program.run("run", job, "--config", config).status == 0)
    }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    for job in ["one", "two"] { try check(job) }
    #expect(try lines("deliveries").isEmpty)
  }

  /// Checks that run number n found item number n, and that the hook received each item once.
  private func check(_ job: String) throws {
    let runs = try lines("runs", job, "--limit", "0")
    #expect(runs.count > 1)
    #expect(runs.allSatisfy { $0["outcome"] == "newData" && $0["added"] == 1 }, "\(job)")
    #expect(Set(runs.compactMap { $0["run"]?.stringValue }).count == runs.count)
    let ids = try lines("items", job, "--since", "0", "--limit", "0")
      .compactMap { $0["id"]?.stringValue }
    #expect(ids == (1...runs.count).map { "i\($0)" }, "\(job)")
    let delivered = try String(contentsOfFile: program.folder.path + "/news.jsonl", encoding: .utf8)
      .split(separator: "\n").map { try JSONReader.decode(String($0)) }
      .filter { $0["job"]?.stringValue == job }.compactMap { $0["id"]?.stringValue }
    #expect(delivered == ids, "\(job)")
  }

  private func lines(_ words: String...) throws -> [Value] {
    let printed = try program.run(words + ["--config", config, "--json"])
    return try printed.lines.map { try JSONReader.decode($0) }
  }
}

/// Clients that request pages and start runs until `end` is called. A client continues with its
/// next request when a request fails.
private final class Load: Sendable {
  struct Facts {
    var answerCount = 0
    var startedCount = 0
    /// The answers with a status of 400 or more.
    var faults: [String] = []
  }

  private struct State {
    var facts = Facts()
    var isOver = false
  }

  private static let targets = [
    "/", "/items", "/runs", "/jobs/one", "/deliveries", "/api/v1/items?limit=100", "/metrics",
  ]
  private let http: UnixHTTP
  private let state = Mutex(State())
  private let answered = DispatchSemaphore(value: 0)
  private let ended = DispatchGroup()

  init(at socket: String) { http = UnixHTTP(socket) }

  var facts: Facts { state.withLock { $0.facts } }

  func begin(_ number: Int) {
    ended.enter()
    let thread = Thread { [self] in
      var step = number
      while !state.withLock({ $0.isOver }) {
        ask(step)
        step += 1
      }
      ended.leave()
    }
    thread.start()
  }

  private func ask(_ step: Int) {
    let isAction = step % 5 == 0
    let job = step % 2 == 0 ? "one" : "two"
    let target = isAction ? "/api/v1/jobs/\(job)/run" : Self.targets[step % Self.targets.count]
    let request =
      "\(isAction ? "POST" : "GET") \(target) HTTP/1.1\r\nHost: localhost\r\n"
      + "Connection: close\r\n\(isAction ? "Content-Length: 0\r\n" : "")\r\n"
    guard let answer = try? http.send(request) else {
      sched_yield()
      return
    }
    state.withLock { state in
      state.facts.answerCount += 1
      if isAction, answer.status == 202 { state.facts.startedCount += 1 }
      if answer.status >= 400 { state.facts.faults.append("\(target): \(answer.body.prefix(200))") }
    }
    answered.signal()
  }

  /// Waits for `count` answers. Returns false if no answer arrives within a minute.
  func waits(for count: Int) -> Bool {
    (0..<count).allSatisfy { _ in answered.wait(timeout: .now() + 60) == .success }
  }

  func end() {
    state.withLock { $0.isOver = true }
    ended.wait()
  }
}
