import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the hooks of `serve` when it reloads its config, and when it is killed during a
/// delivery.
@Suite(.timeLimit(.minutes(5))) struct HookServeTests {
  private let program: Program
  private let source: ItemSource
  private let receiver: HookReceiver

  init() throws {
    program = try Program()
    source = try ItemSource()
    receiver = try HookReceiver()
    try program.write("source.lua", ItemSource.plugin)
    try program.write("post.lua", HookReceiver.hook)
  }

  private func end() {
    source.stop()
    receiver.stop()
    program.remove()
  }

  /// Writes the config and returns its path.
  ///
  /// - Parameter hooks: lines of the config's list of hooks.
  @discardableResult
  private func write(_ hooks: [String]) throws -> String {
    let path = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      lanes: {"*": {gap: 0s}}
      hooks:
      \(hooks.map { "  - " + $0 }.joined(separator: "\n"))
      jobs:
        - name: news
          plugin: ./source.lua
          interval: never
          options: {url: "\(source.url)/"}

      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func lua(_ name: String, to path: String, _ more: String = "") -> String {
    "{name: \(name), \(more)lua: {file: ./post.lua, allow_private: true, "
      + "options: {url: \"\(receiver.url)/\(path)\"}}}"
  }

  private func serve() throws -> Watched {
    let serving = try Watched(
      program, ["serve", "--config", program.folder.path + "/fetchrun.yaml", "--allow-private"])
    try #require(serving.wait(forMessage: "serving "))
    return serving
  }

  /// Requests a run and waits for its end.
  ///
  /// - Parameter outcome: the expected outcome, or nil for any outcome.
  private func run(_ outcome: String? = nil) throws {
    let ending = try program.run(
      "run", "news", "--json", "--config", program.folder.path + "/fetchrun.yaml")
    let line = try JSONReader.decode(ending.lines.first ?? "null")
    let ended = line["outcome"]?.stringValue
    #expect(ended != nil && ended == outcome ?? ended, "\(ending.output)\(ending.messages)")
  }

  private func reload(_ serving: Watched) {
    let count = serving.messages.count
    serving.signal(SIGHUP)
    let isRead = serving.wait(for: .messages) { lines in
      lines.dropFirst(count).contains { $0.hasPrefix("fetchrun: config reloaded") }
    }
    #expect(isRead, "\(serving.messages)")
  }

  private func untilDelivered() throws {
    while true {
      let ending = try program.run(
        "deliveries", "--json", "--store", program.store)
      if ending.lines.isEmpty { return }
    }
  }

  @Test func `SIGHUP changes filters and receivers, and loses no delivery`() throws {
    defer { end() }
    try program.write("mark.lua", HookReceiver.mark("one"))
    try write(["{name: mark, lua: ./mark.lua}", lua("first", to: "first", "on: added, ")])
    let serving = try serve()
    source.count = 2
    try run("newData")
    receiver.wait { $0.count == 1 }
    #expect(receiver.visits[0].titles == ["Item 1 one", "Item 2 one"])
    #expect(receiver.visits[0].path == "/first")

    // The file `mark.lua` gets another text. The hook `first` gets another address. The hooks
    // `second` and `log` are added.
    try program.write("mark.lua", HookReceiver.mark("two"))
    try write([
      "{name: mark, lua: ./mark.lua}", lua("first", to: "changed", "on: added, "),
      lua("second", to: "second", "on: [added, updated], "),
      "{name: log, on: [added, updated], file: \(program.folder.path)/log.jsonl}",
    ])
    reload(serving)
    source.count = 3
    try run("newData")
    receiver.wait { $0.count == 3 }
    try untilDelivered()
    let later = receiver.visits.dropFirst()
    #expect(Set(later.map(\.path)) == ["/changed", "/second"])
    #expect(later.first { $0.path == "/changed" }?.titles == ["Item 3 two"])
    #expect(
      later.first { $0.path == "/second" }?.titles == ["Item 1 two", "Item 2 two", "Item 3 two"])
    let log = try String(contentsOfFile: program.folder.path + "/log.jsonl", encoding: .utf8)
    #expect(log.split(separator: "\n").count == 3)

    // A removed hook gets no more deliveries. A hook whose file does not load gets its deliveries
    // when the file loads again.
    try write([lua("second", to: "second", "on: [added, updated], ")])
    reload(serving)
    try run("newData")
    receiver.wait { $0.count == 4 }
    #expect(receiver.visits[3].titles == ["Item 1", "Item 2", "Item 3"])
    try program.write("post.lua", "return { on_new_date = function() end }")
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "hook 'second' is not called and its deliveries wait: "))
    source.count = 4
    try run("newData")
    #expect(serving.wait(forMessage: "hook 'second': deliveries wait: "))
    try program.write("post.lua", HookReceiver.hook)
    receiver.wait { $0.count == 5 }
    #expect(receiver.visits[4].titles == ["Item 4"])
    try untilDelivered()
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `a digest that a reload shortens is sent before later items`()
    throws
  {
    defer { end() }
    try write([lua("first", to: "in", "on: added, digest: 31d, ")])
    let serving = try serve()
    source.count = 1
    try run("newData")
    try write([lua("first", to: "in", "on: added, digest: 1s, ")])
    reload(serving)
    receiver.wait { $0.count == 1 }
    #expect(receiver.visits[0].titles == ["Item 1"])
    source.count = 2
    try run("newData")
    receiver.wait { $0.count == 2 }
    #expect(receiver.visits[1].titles == ["Item 2"])
    try untilDelivered()
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `a mistyped field in a condition is named at the start and at a reload`() throws {
    defer { end() }
    try write([lua("first", to: "in", "when: 'titel contains \"x\"', ")])
    let serving = try serve()
    let warning = "warning: hook 'first': when: the plugin of 'news' names no field 'titel'"
    #expect(serving.messages.contains { $0.contains(warning) }, "\(serving.messages)")
    reload(serving)
    #expect(serving.messages.count { $0.contains(warning) } == 2, "\(serving.messages)")
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `a hook file gets each failure and recovery once, despite kills`()
    throws
  {
    defer { end() }
    try write([lua("desk", to: "desk", "on: [added, noData, failed, recovered], failures: 2, ")])
    var serving = try serve()
    source.count = 1
    try run("newData")
    try run("noData")
    receiver.wait { $0.count == 2 }
    source.isBroken = true
    try run("failed")
    serving.signal(SIGKILL)
    _ = serving.end()
    serving = try serve()
    try run("failed")
    receiver.wait { $0.count == 3 }
    // The kill loses the answer, so the delivery is repeated with the same key.
    receiver.hold()
    source.isBroken = false
    source.count = 2
    try run("newData")
    receiver.wait { $0.count == 4 }
    serving.signal(SIGKILL)
    _ = serving.end()
    receiver.free()
    serving = try serve()
    try untilDelivered()
    try run("noData")
    try untilDelivered()
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let visits = receiver.visits
    #expect(
      visits.map(\.event) == [
        "newData", "noData", "failed", "recovered", "recovered", "newData", "noData",
      ])
    #expect(visits.map(\.titles) == [["Item 1"], [], [], [], [], ["Item 2"], []])
    #expect(visits.map(\.failures) == [nil, nil, 2, 2, 2, nil, nil])
    #expect(visits[3].key == visits[4].key)
    #expect(Set(visits.map(\.key)).count == 6)
  }

  private static let killCount = 12
  private static let itemsPerRun = 4

  @Test
  func `repeated kills during deliveries lose none, and a repeated delivery keeps its key`()
    throws
  {
    defer { end() }
    let seed = ProcessInfo.processInfo.environment["FETCHRUN_TEST_SEED"].flatMap(UInt64.init)
    var chance = Chance(seed: seed ?? UInt64.random(in: .min ... .max))
    print("HookServeTests: FETCHRUN_TEST_SEED=\(chance.state)")
    let file = program.folder.path + "/lines.jsonl"
    let words = program.folder.path + "/words"
    let echo = "echo $FETCHRUN_IDEMPOTENCY_KEY $FETCHRUN_TITLE >> \(words)"
    try write([
      // The hook does not receive failures, because the kills can cause three failures in a row.
      lua("lua", to: "lua", "on: added, batch: each, "),
      "{name: web, batch: each, webhook: {url: \"\(receiver.url)/web\", allow_private: true}}",
      "{name: file, batch: each, file: \(file)}",
      "{name: command, batch: each, command: {run: '\(echo)', shell: true}}",
    ])
    for _ in 0..<Self.killCount {
      let serving = try serve()
      source.count += Self.itemsPerRun
      let before = receiver.visits.count
      let asking = try program.start([
        "run", "news", "--no-wait", "--config", program.folder.path + "/fetchrun.yaml",
      ])
      let count = before + chance.below(2 * Self.itemsPerRun)
      receiver.wait { $0.count >= count }
      let end = ContinuousClock.now + .microseconds(chance.below(10_000))
      while .now < end { sched_yield() }
      serving.signal(SIGKILL)
      _ = serving.end()
      _ = try asking.wait()
    }
    let serving = try serve()
    // If the last kill ended a run, the daemon has repeated it, or this run is the repetition.
    // After this run, all earlier news is stored, and each hook receives it before later news.
    try run()
    source.count += 1
    try run("newData")
    try untilDelivered()
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let titles = (1...source.count).map { "Item \($0)" }
    for path in ["/lua", "/web"] {
      let visits = receiver.visits.filter { $0.path == path }
      expectInOrder(visits.map { ($0.key, $0.titles.first ?? "") }, titles)
    }
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      .compactMap { try? JSONReader.decode(String($0)) }
    expectInOrder(
      lines.map { ($0["delivery"]?.stringValue ?? "", $0["title"]?.stringValue ?? "") }, titles)
    let echoed = try String(contentsOfFile: words, encoding: .utf8).split(separator: "\n")
    expectInOrder(
      echoed.map { line in
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
      }, titles)
  }

  /// Checks that each title was delivered in order. A repeated delivery must follow immediately,
  /// with the same key.
  private func expectInOrder(_ told: [(key: String, title: String)], _ titles: [String]) {
    var once: [(key: String, title: String)] = []
    for visit in told where once.last?.key != visit.key || once.last?.title != visit.title {
      once.append(visit)
    }
    #expect(once.map(\.title) == titles)
    #expect(Set(once.map(\.key)).count == titles.count)
  }
}
