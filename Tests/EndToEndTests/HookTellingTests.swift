import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the hooks of a config and of `--on-new` with the real program: the notifications, and
/// the results of their deliveries.
@Suite(.timeLimit(.minutes(5))) struct HookTellingTests {
  private static let plugin = """
    return {
      api = 1, name = "list", version = "1.0.0", items = { complete = true },
      options = { items = { type = "list", default = {} } },
      fetch = function(ctx)
        local items = {}
        for i, title in ipairs(ctx.options.items) do
          items[i] = { id = title, title = title, url = "https://a.test/" .. i }
        end
        return items
      end,
    }
    """

  private let program: Program
  private var folder: String { program.folder.path }
  private var store: String { program.store }

  init() throws {
    program = try Program()
    try program.write("list.lua", Self.plugin)
  }

  /// Writes a config with one hook and one job, and returns its path.
  ///
  /// - Parameter hook: the keys of the hook.
  private func config(_ hook: String, items: String = "one, two") throws -> String {
    let path = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      hooks:
        - name: desk
          \(hook.replacing("\n", with: "\n    "))
      jobs:
        - { name: news, plugin: ./list.lua, interval: 1s, options: { items: [\(items)] } }
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func deliveries(_ arguments: String...) throws -> [Value] {
    let ending = try program.run(["deliveries", "--store", store, "--json"] + arguments)
    return try ending.lines.map { try JSONReader.decode($0) }
  }

  private func lines(_ name: String) -> [Value] {
    let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    return (text ?? "").split(separator: "\n").compactMap { try? JSONReader.decode(String($0)) }
  }

  // MARK: Forms

  @Test func `a webhook sends its own body with its own type`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let config = try config(
      """
      webhook:
        url: \(server.url)/in
        allow_private: true
        headers: { X-Team: harbour }
        content_type: text/x-news
        body: '{{job}}: {{json:title}} and {{count}} in all'
      """, items: "two, 'say \"a\"'")
    #expect(try program.run("run", "--config", config).status == 0)
    #expect(server.requests.count == 1)
    let request = try #require(server.requests.first)
    #expect(String(decoding: request.body, as: UTF8.self) == #"news: "say \"a\"" and 2 in all"#)
    #expect(request.header("content-type") == "text/x-news")
    #expect(request.header("x-team") == "harbour")
    #expect(request.header("idempotency-key")?.hasSuffix("_desk_0_0") == true)
  }

  @Test func `a mail has its subject from the config, and the news as text`() throws {
    defer { program.remove() }
    let server = try MailServer()
    defer { server.stop() }
    let config = try config(
      """
      email:
        server: \(server.url)
        allow_plain: true
        from: a@example.org
        to: [b@example.org, c@example.org]
        subject: "{{count}} in {{job}}: {{title}}"
      """)
    #expect(try program.run("run", "--config", config).status == 0)
    #expect(server.messages.count == 1)
    let message = try #require(server.messages.first)
    #expect(message.from.contains("a@example.org"))
    #expect(message.to.count == 2)
    #expect(message.text.contains("Subject: 2 in news: two\r\n"), "\(message.text)")
    let parts = message.text.components(separatedBy: "\r\n\r\n")
    let body = Data(base64Encoded: parts.dropFirst().joined(), options: .ignoreUnknownCharacters)
    #expect(
      body.map { String(decoding: $0, as: UTF8.self) } == """
        news, added: two\r
        https://a.test/2\r
        \r
        news, added: one\r
        https://a.test/1\r

        """)
    #expect(try deliveries().isEmpty)
  }

  @Test func `a missing item is delivered as removed`() throws {
    defer { program.remove() }
    let hook = "on: [removed]\nfile: gone.jsonl"
    #expect(try program.run("run", "--config", try config(hook)).status == 0)
    #expect(lines("gone.jsonl").isEmpty)
    #expect(try program.run("run", "--config", try config(hook, items: "two")).status == 0)
    let gone = lines("gone.jsonl")
    #expect(gone.count == 1)
    #expect(gone.first?["change"] == "removed")
    #expect(gone.first?["id"] == "one")
    #expect(gone.first?["title"] == "one")
    #expect(gone.first?["url"] == "https://a.test/1")
  }

  // MARK: Given up

  @Test func `a delivery that fails for too long is listed, and is retried or dropped by its id`()
    throws
  {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(500) }
    defer { server.stop() }
    let hook = "dead_after: 1s\nbatch: each\nwebhook: { url: '\(server.url)', allow_private: true }"
    let config = try config(hook)
    _ = try program.run("run", "--config", config)
    // Each start tries the due deliveries. A delivery is given up at its first failure after one
    // second (`dead_after`).
    while try deliveries("--failed").count < 2 {
      _ = try program.run("run", "--due", "--config", config)
    }
    let dead = try deliveries("--failed")
    #expect(dead.map { $0["state"] } == ["dead", "dead"])
    #expect(dead.map { $0["id"] } == [1, 2])
    #expect(try deliveries() == dead)
    #expect(try deliveries("--failed", "--hook", "other").isEmpty)
    let text = try program.run("deliveries", "--failed", "--store", store)
    #expect(text.output.contains("127.0.0.1:\(server.port) answered 500"), "\(text.output)")
    let dropped = try program.run("deliveries", "--store", store, "drop", "1", "7")
    #expect(dropped.status == 1)
    #expect(dropped.output == "1: dropped\n")
    #expect(dropped.messages == "fetchrun: there is no delivery 7\n")
    let log = try self.config("file: late.jsonl")
    #expect(try program.run("deliveries", "--store", store, "retry", "2").output == "2: pending\n")
    #expect(try deliveries("--failed").isEmpty)
    #expect(try program.run("run", "--due", "--config", log).status == 0)
    #expect(lines("late.jsonl").map { $0["title"] } == ["one"])
    #expect(try deliveries().isEmpty)
  }

  @Test func `a delivery that a rate delays is listed with the rate and the time of the next one`()
    throws
  {
    defer { program.remove() }
    let config = try config(
      "rate: 1/h\nbatch: each\nfile: slow.jsonl", items: "one, two, three")
    #expect(try program.run("run", "--config", config).status == 0)
    #expect(lines("slow.jsonl").count == 1)
    for _ in 0..<2 {
      let held = try deliveries()
      #expect(held.map { $0["id"]?.integerValue } == [2, 3])
      #expect(held.map { $0["failure"] } == ["the hook's rate limit", "the hook's rate limit"])
      let next = try #require(held.first?["nextAttemptAt"]?.stringValue)
      #expect(next.hasPrefix("20"))
      #expect(held.last?["nextAttemptAt"] == .null)
      let table = try program.run("deliveries", "--store", store)
      #expect(table.lines.dropFirst().allSatisfy { $0.hasSuffix("the hook's rate limit") })
      let minute = next.prefix(16).replacing("T", with: " ")
      #expect(table.lines[1].contains(minute), "\(table.output)")
      // A manual retry does not shorten the delay.
      let retried = try program.run("deliveries", "--store", store, "retry", "2").output
      #expect(
        retried.hasPrefix("2: pending, not before \(minute):")
          && retried.hasSuffix(": the hook's rate limit\n"), "\(retried)")
      #expect(try program.run("run", "--due", "--config", config).status == 0)
    }
    #expect(lines("slow.jsonl").count == 1)
  }

  @Test func `a changed rate applies, also in the listing`() throws {
    defer { program.remove() }
    func hook(_ rate: String) throws -> String {
      try config("\(rate)batch: each\nfile: slow.jsonl", items: "one, two")
    }
    let path = try hook("rate: 1/h\n")
    #expect(try program.run("run", "--config", path).status == 0)
    for (rate, isHeld) in [("", false), ("rate: 600/h\n", false), ("rate: 1/h\n", true)] {
      _ = try hook(rate)
      let listed = try program.run("deliveries", "--config", path)
      #expect(listed.lines.count == 2 && listed.lines[1].hasPrefix(" 2"), "\(listed.output)")
      #expect(listed.output.contains("the hook's rate limit") == isHeld, "\(listed.output)")
      let retried = try program.run("deliveries", "retry", "2", "--config", path).output
      #expect((retried == "2: pending\n") == !isHeld, "\(retried)")
      #expect(retried.hasSuffix(": the hook's rate limit\n") == isHeld, "\(retried)")
    }
    // With only the store named, the listing shows the state that the last process stored.
    let named = try program.run("deliveries", "--store", store)
    #expect(named.output.contains("the hook's rate limit"), "\(named.output)")
    #expect(try program.run("run", "--config", try hook("")).status == 0)
    #expect(lines("slow.jsonl").count == 2)
    #expect(try deliveries().isEmpty)
  }

  @Test func `a condition of the config selects the delivered items`() throws {
    defer { program.remove() }
    let config = try config(
      "when: title == \"two\" or title starts \"TH\"\nfile: some.jsonl",
      items: "one, two, three")
    #expect(try program.run("run", "--config", config).status == 0)
    let told = lines("some.jsonl").compactMap { $0["title"]?.stringValue }
    #expect(told.sorted() == ["three", "two"])
    #expect(try deliveries().isEmpty)
    try FileManager.default.removeItem(atPath: store)
    let none = try self.config("when: title == \"four\"\nfile: none.jsonl")
    #expect(try program.run("run", "--config", none).status == 0)
    #expect(lines("none.jsonl").isEmpty)
    #expect(try deliveries().isEmpty)
  }

  // MARK: Stale

  private static let stale = "on: stale\nquiet_after: 1s\nfile: stale.jsonl"

  @Test func `a timer that starts fetchrun run --due reports a stale job, once`() throws {
    defer { program.remove() }
    let config = try config(Self.stale, items: "")
    while lines("stale.jsonl").isEmpty {
      #expect(try program.run("run", "--due", "--config", config).status == 0)
    }
    for _ in 0..<3 { _ = try program.run("run", "--due", "--config", config) }
    let told = lines("stale.jsonl")
    #expect(told.count == 1)
    #expect(told.first?["event"] == "stale")
    #expect(told.first?["job"] == "news")
    #expect(told.first?["stale"]?["what"] == "newData")
    #expect(told.first?["run"] == .null)
    #expect(try deliveries().isEmpty)
  }

  @Test func `a daemon reports a stale job by itself`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let config = try config(
      "on: stale\nquiet_after: 1s\nwebhook: { url: '\(server.url)', allow_private: true }",
      items: "")
    let daemon = try Watched(program, ["serve", "--config", config])
    defer { daemon.signal(SIGKILL) }
    while server.requests.isEmpty { sched_yield() }
    let told = try JSONReader.decode(server.requests[0].body)
    #expect(told["event"] == "stale")
    #expect(told["stale"]?["what"] == "newData")
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
    #expect(server.requests.count == 1)
  }

  // MARK: One run

  private func once(_ command: String, _ more: String...) throws -> Program.Ending {
    let words = ["--plugin", folder + "/list.lua", "--option", "items=one", "--job", "news"]
    return try program.run(words + ["--on-new", command] + more)
  }

  @Test func `the output of the command of --on-new is shown`() throws {
    defer { program.remove() }
    let ending = try once("cat; echo $FETCHRUN_TITLE >&2", "--store", store)
    #expect(ending.status == 0)
    #expect(ending.lines.count == 4, "\(ending.output)")
    #expect(ending.lines[0].hasPrefix("newData  news  1 added"))
    #expect(try JSONReader.decode(ending.lines[2])["event"] == "newData")
    #expect(ending.lines[3] == "one")
    // If the results are JSON, the command's output is among the messages.
    let json = try once("printf '%s' $FETCHRUN_TITLE", "--json", "--store", store + "2")
    #expect(json.lines.count == 2)
    #expect(json.messages.hasSuffix("one"), "\(json.messages)")
  }

  @Test func `the output of the command is shown completely`() throws {
    defer { program.remove() }
    let ending = try once("head -c 300000 /dev/zero | tr '\\0' x", "--store", store)
    #expect(ending.status == 0)
    #expect(ending.output.count { $0 == "x" } >= 300_000)
  }

  @Test func `failed deliveries are listed by the suggested command`() throws {
    defer { program.remove() }
    let store = folder + "/my store.sqlite"
    let ending = try once("echo not now; exit 3", "--store", store)
    #expect(ending.output.hasSuffix("not now\n"))
    #expect(
      ending.messages.hasSuffix(
        "fetchrun: 1 delivery waits in the outbox for the next run of news with --on-new: see "
          + "fetchrun deliveries --store '\(store)'\n"), "\(ending.messages)")
    let listing = try program.run("deliveries", "--store", store)
    #expect(listing.output.contains("on-new"))
    // This default config has a mistake that hides its store. A listing without `--store` would
    // therefore not find the store of the run.
    try program.write(".config/fetchrun/fetchrun.yaml", "store: []\njobs: []\n")
    let usual = try once("exit 3")
    #expect(
      usual.messages.hasSuffix(
        ": see fetchrun deliveries --store \(folder)/fetchrun/store.sqlite\n"), "\(usual.messages)")
    // The delivery is sent now, not at the end of its pause.
    #expect(try program.run("deliveries", "retry", "1", "--store", store).status == 0)
    #expect(try once("true", "--store", store).status == 0)
    #expect(try program.run("deliveries", "--store", store, "--json").lines.isEmpty)
  }
}
