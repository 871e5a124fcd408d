import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests that kill the program at several steps of a mail and of a digest. The tests show which
/// deliveries may be sent twice, and how the receiver recognises these deliveries.
@Suite(.timeLimit(.minutes(5))) struct HookKillTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write(
      "counter.lua",
      """
      return {
        api = 1, name = "counter", version = "1.0.0", options = { count = { type = "integer" } },
        fetch = function(ctx)
          local items = {}
          for i = 1, ctx.options.count do items[i] = { id = tostring(i), title = "Item " .. i } end
          return items
        end,
      }
      """)
  }

  /// Writes a config with one hook and one job, and returns its path.
  ///
  /// - Parameter hook: the keys of the hook, on one line.
  private func config(_ hook: String, count: Int = 1) throws -> String {
    try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      lanes: { "*": { gap: 0s } }
      hooks: [ { name: desk, \(hook) } ]
      jobs: [ { name: news, plugin: ./counter.lua, options: { count: \(count) } } ]

      """)
  }

  private func waiting() throws -> [Value] {
    let store = program.store
    return try program.run("deliveries", "--json", "--store", store).lines.map {
      try JSONReader.decode($0)
    }
  }

  /// A gate that stops a receiver until it is opened.
  private final class Gate: Sendable {
    let reached = DispatchSemaphore(value: 0)
    let opened = DispatchSemaphore(value: 0)
    let isOpen = Mutex(false)
    let isReached = Mutex(false)

    func pass() {
      if isOpen.withLock({ $0 }) { return }
      isReached.withLock { $0 = true }
      reached.signal()
      opened.wait()
    }

    func open() {
      isOpen.withLock { $0 = true }
      opened.signal()
    }
  }

  /// Runs the config until a request has reached the gate and `isTime` returns true, and then kills
  /// the program.
  private func runAndKill(_ config: String, at gate: Gate, _ isTime: () throws -> Bool) throws {
    let running = try program.start(["run", "--config", config])
    let process = running.process.processIdentifier
    // The end of the program must not leave the test waiting.
    Thread.detachNewThread {
      var facts = siginfo_t()
      waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT)
      gate.reached.signal()
    }
    gate.reached.wait()
    guard gate.isReached.withLock({ $0 }) else {
      gate.open()
      let ending = try running.wait()
      Issue.record("the program ended early: \(ending)")
      return
    }
    while try !isTime() { sched_yield() }
    if running.process.isRunning { kill(process, SIGKILL) }
    _ = try running.wait()
    gate.open()
  }

  // MARK: Mail

  private static func messageIDs(_ server: MailServer) -> [String] {
    server.messages.compactMap { message in
      message.text.firstMatch(of: /\r\nMessage-ID: (.+?)\r\n/).map { String($0.1) }
    }
  }

  private func mail(_ server: MailServer) -> String {
    "email: { server: \"\(server.url)\", from: a@b.test, to: c@d.test, allow_plain: true }"
  }

  /// The mail server's confirmation is stored while the program waits for the answer to QUIT. The
  /// program may end before the kill, since it waits only for some seconds.
  @Test(arguments: [
    (MailServer.Step.connected, 1), (.data, 1), (.message, 2), (.goodbye, 1),
  ])
  func `a mail that was sent and not confirmed before a kill is sent again with its Message-ID`(
    step: MailServer.Step, count: Int
  ) throws {
    defer { program.remove() }
    let gate = Gate()
    let server = try MailServer { if $0 == step { gate.pass() } }
    defer { server.stop() }
    let config = try config(mail(server))
    try runAndKill(config, at: gate) { try step != .goodbye || waiting().isEmpty }
    let keys = try waiting().compactMap { $0["key"]?.stringValue }
    #expect(keys.count == (step == .goodbye ? 0 : 1))
    let again = try program.run("run", "--config", config)
    #expect(again.status == 0 && !again.messages.contains("again"), "\(again)")
    #expect(try waiting().isEmpty)
    let ids = Self.messageIDs(server)
    #expect(ids.count == count && Set(ids).count == 1, "\(ids)")
    if let key = keys.first { #expect(ids.last == "<\(key)@b.test>") }
  }

  // MARK: Commands

  /// timeout(1) makes a process group of its own.
  @Test func `a command that leaves its process group is killed with the program`() throws {
    defer { program.remove() }
    let path = program.folder.path + "/id"
    let script = "echo $$ > \(path).new; mv \(path).new \(path); exec sleep 1000"
    let config = try config("command: { run: [timeout, '1000', sh, -c, '\(script)'] }")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    let running = try program.start(["run", "--config", config])
    while running.process.isRunning, !FileManager.default.fileExists(atPath: path) { sched_yield() }
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    let id = try String(contentsOfFile: path, encoding: .utf8)
    let process = try #require(pid_t(id.trimmingCharacters(in: .whitespacesAndNewlines)))
    while kill(process, 0) == 0, !isZombie(process) { sched_yield() }
  }

  private func isZombie(_ process: pid_t) -> Bool {
    let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return facts?.contains(") Z ") ?? true
  }

  // MARK: Digests

  @Test func `a digest that was sent before a kill is sent again unchanged, without later items`()
    throws
  {
    defer { program.remove() }
    let gate = Gate()
    let server = try ScriptedServer { _, connection in
      gate.pass()
      connection.answer(204)
    }
    defer { server.stop() }
    let hook = "digest: 1s, webhook: { url: \"\(server.url)\", allow_private: true }"
    try runAndKill(try config(hook), at: gate) { true }
    let key = try #require(try waiting().first?["key"]?.stringValue)
    let again = try program.run("run", "--config", try config(hook, count: 2))
    #expect(again.status == 0, "\(again)")
    #expect(try waiting().isEmpty)
    let requests = server.requests
    try #require(requests.count == 3)
    #expect(requests.prefix(2).map { $0.header("Idempotency-Key") } == [key, key])
    #expect(requests[0].body == requests[1].body)
    #expect(requests[2].header("Idempotency-Key") != key)
    let told = try requests.map { try JSONReader.decode($0.body) }
    #expect(told.map { $0["event"] } == ["digest", "digest", "digest"])
    #expect(told.map { $0["id"]?.stringValue } == requests.map { $0.header("Idempotency-Key") })
    #expect(told.map(Self.titles) == [["Item 1"], ["Item 1"], ["Item 2"]])
  }

  private static func titles(_ digest: Value) -> [String] {
    (digest["deliveries"]?.arrayValue ?? []).flatMap { delivery in
      (delivery["items"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }
  }

  /// A hook file that reports each call to the server.
  private static let teller = """
    return {
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      on_new_data = function(run, changes, ctx)
        return require("http").post(ctx.options.url, {
          headers = { ["Idempotency-Key"] = run.delivery },
          json = { first = changes[1].title, count = #changes },
        })
      end,
    }
    """

  /// A digest is recorded as delivered only after its last call, so calls that were answered before
  /// the kill are repeated.
  @Test(arguments: [1, 2, 3])
  func `after a kill between a digest's calls, those made are repeated unchanged with their keys`(
    killedAt: Int
  ) throws {
    defer { program.remove() }
    try program.write("teller.lua", Self.teller)
    let gate = Gate()
    let came = Mutex(0)
    let server = try ScriptedServer { _, connection in
      let number = came.withLock { count in
        count += 1
        return count
      }
      if number == killedAt { gate.pass() }
      connection.answer(204)
    }
    defer { server.stop() }
    let hook =
      "digest: 1s, lua: { file: ./teller.lua, allow_private: true, "
      + "options: { url: \"\(server.url)/\" } }"
    // A call has at most 500 items.
    try runAndKill(try config(hook, count: 1100), at: gate) { true }
    #expect(try waiting().count == 3)
    let again = try program.run("run", "--config", try config(hook, count: 1101))
    #expect(again.status == 0, "\(again)")
    #expect(try waiting().isEmpty)
    let told = try server.requests.map { try JSONReader.decode($0.body) }
    let counts = told.map { $0["count"]?.integerValue }
    let calls: [Int64?] = [500, 500, 100]
    #expect(counts == Array(calls.prefix(killedAt)) + calls + [1])
    let keys = server.requests.map { $0.header("Idempotency-Key") ?? "" }
    #expect(keys.prefix(killedAt) == keys.dropFirst(killedAt).prefix(killedAt))
    #expect(told.prefix(killedAt) == told.dropFirst(killedAt).prefix(killedAt))
    #expect(Set(keys).count == 4 && !keys.contains(""))
  }

  @Test func `a digest that was mailed before a kill is mailed again with its Message-ID`() throws {
    defer { program.remove() }
    let gate = Gate()
    let server = try MailServer { if $0 == .message { gate.pass() } }
    defer { server.stop() }
    let hook = "digest: 1s, " + mail(server)
    try runAndKill(try config(hook, count: 2), at: gate) { true }
    let key = try #require(try waiting().first?["key"]?.stringValue)
    #expect(try program.run("run", "--config", try config(hook, count: 3)).status == 0)
    #expect(try waiting().isEmpty)
    let ids = Self.messageIDs(server)
    try #require(ids.count == 3)
    #expect(ids[0] == "<\(key)@b.test>" && ids[1] == ids[0] && ids[2] != ids[0], "\(ids)")
  }

  @Test func `a digest whose run was killed before its time has the earlier and the later items`()
    throws
  {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let later = "digest: 31d, webhook: { url: \"\(server.url)\", allow_private: true }"
    let running = try program.start(["run", "--config", try config(later)])
    while try waiting().isEmpty { sched_yield() }
    kill(running.process.processIdentifier, SIGKILL)
    _ = try running.wait()
    #expect(server.requests.isEmpty)
    #expect(try program.run("run", "--config", try config(later, count: 2)).status == 0)
    let ids = try waiting().compactMap { $0["id"]?.integerValue }
    #expect(ids.count == 2 && server.requests.isEmpty)
    // A manual retry sends the first delivery at any hour. Deliveries that are not due wait.
    let store = program.store
    for id in ids {
      #expect(try program.run("deliveries", "retry", "\(id)", "--store", store).status == 0)
    }
    #expect(try program.run("run", "--config", try config(later, count: 2)).status == 0)
    #expect(try waiting().isEmpty)
    try #require(server.requests.count == 1)
    #expect(Self.titles(try JSONReader.decode(server.requests[0].body)) == ["Item 1", "Item 2"])
  }
}
