import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of the first run of a job whose source already has items.
@Suite(.timeLimit(.minutes(5))) struct FirstRunTests {
  private let program: Program
  private let config: String
  private let server: ScriptedServer
  private let added: Added

  /// The titles of additional items by the path of the feed. Every feed also has three old items.
  private final class Added: Sendable {
    private let titles = Mutex<[String: String]>([:])
    subscript(path: String) -> String? {
      get { titles.withLock { $0[path] } }
      set { titles.withLock { $0[path] = newValue } }
    }
  }

  init() throws {
    program = try Program()
    config = program.folder.path + "/fetchrun.yaml"
    let added = Added()
    self.added = added
    server = try ScriptedServer { request, connection in
      var titles = ["old one", "old two", "old three"]
      if let title = added[request.path] { titles.insert(title, at: 0) }
      let items = titles.map {
        "<item><guid>\(request.path) \($0)</guid><title>\($0)</title></item>"
      }
      connection.answer(
        200, [], "<rss><channel><title>t</title>\(items.joined())</channel></rss>")
    }
  }

  private func end() {
    server.stop()
    program.remove()
  }

  private func run(_ arguments: String...) throws -> Program.Ending {
    try program.start(["run", "--config", config, "--allow-private"] + arguments).wait()
  }

  private func opml(_ count: Int) throws -> String {
    let outlines = (1...count).map {
      "<outline type=\"rss\" text=\"feed \($0)\" xmlUrl=\"\(server.url)/\($0)\"/>"
    }
    return try program.write(
      "feeds.opml", "<opml version=\"2.0\"><body>\(outlines.joined())</body></opml>")
  }

  @Test(arguments: [true, false])
  func `thirty imported feeds cause no notification of old items, and one of each new item`(
    isNew: Bool
  ) throws {
    defer { end() }
    let receiver = try HookReceiver()
    defer { receiver.stop() }
    let head = """
      lanes: {"*": {gap: 0s}}
      hooks:
        - {name: web, webhook: {url: "\(receiver.url)/", allow_private: true}}

      """
    if !isNew { try program.write("fetchrun.yaml", head + "jobs: []\n") }
    let imported = try program.run("import", try opml(30), "--config", config)
    #expect(
      imported.messages == """
        fetchrun: 30 jobs were added to \(config); 0 feeds were skipped
        fetchrun: the items of each first run are stored and are not news (first_run: baseline, \
        \(isNew ? "in the defaults" : "in each job"))

        """)
    let text = try String(contentsOfFile: config, encoding: .utf8)
    #expect(text.contains("defaults:\n  first_run: baseline\njobs:\n") == isNew)
    if isNew { try program.write("fetchrun.yaml", head + text) }
    let first = try run()
    #expect(first.status == 0)
    #expect(first.lines.count == 30 && first.lines.allSatisfy { $0.hasPrefix("noData ") })
    #expect(receiver.visits.isEmpty)
    // The old items are stored nevertheless.
    #expect(try program.run("items", "--limit", "0").lines.count == 90)

    added["/7"] = "news"
    let second = try run()
    #expect(second.lines.filter { $0.hasPrefix("newData ") }.count == 1)
    _ = try run()
    #expect(receiver.visits.map(\.titles) == [["news"]])
  }

  @Test func `add sets a baseline for a job if a hook would be notified of its items`() throws {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      "hooks:\n  - {name: web, webhook: https://hook.example/}\njobs: []\n")
    let quiet = try program.run(
      "add", "rss", "--option", "url=\(server.url)/1", "--name", "a", "--config", config)
    #expect(
      quiet.messages == """
        fetchrun: the job 'a' was added to \(config)
        fetchrun: the items of its first run are stored and are not news (first_run: baseline), so \
        that the hook 'web' is not notified of old items; to notify the hook, set \
        `first_run: all` in the job before its first run

        """)
    let loud = try program.run(
      "add", "rss", "--option", "url=\(server.url)/2", "--name", "b", "--first-run", "latest:2",
      "--config", config)
    #expect(
      loud.messages == """
        fetchrun: the job 'b' was added to \(config)
        fetchrun: only the newest 2 items of its first run are news (first_run: latest:2)

        """)
    let text = try String(contentsOfFile: config, encoding: .utf8)
    #expect(text.contains("    first_run: baseline\n  - name: b\n"))
    #expect(text.hasSuffix("    first_run: latest:2\n"))
    let bad = try program.run(
      "add", "rss", "--option", "url=\(server.url)/3", "--first-run", "some", "--config", config)
    #expect(bad.status == 64)
  }

  @Test func `explain shows the effect of the first run until the job has a result`() throws {
    defer { end() }
    try program.write(
      "fetchrun.yaml",
      """
      defaults: {first_run: baseline}
      jobs:
        - {name: a, plugin: rss, options: {url: "\(server.url)/1"}}
        - {name: b, plugin: rss, options: {url: "\(server.url)/2"}, first_run: latest:2}

      """)
    func sentence(_ job: String) throws -> String? {
      try program.run("explain", job, "--config", config).lines.first { $0.contains("first_run") }
    }
    // There is no store yet, so no earlier result is known.
    #expect(try run("b").output.hasPrefix("newData  b  2 added, 0 updated, 0 removed  ("))
    #expect(try sentence("b") == nil)
    #expect(
      try sentence("a")
        == "It has had no result yet: the items of its first run are stored and are not news"
        + " (first_run: baseline).")
    let first = try run("a").output
    #expect(first.hasPrefix("noData  a  first run: 3 items stored, none of which is news  ("))
    #expect(try sentence("a") == nil)
    let second = try run("a").output
    #expect(second.hasPrefix("noData  a  sameBody  ("), "\(second)")
  }

  @Test func `only the first run reports the number of its stored items, including checkpoints`()
    throws
  {
    defer { end() }
    let plugin = try program.write(
      "parts.lua",
      """
      return {
        api = 1, name = "parts", version = "1",
        fetch = function(ctx)
          ctx:note("in parts")
          ctx:emit { id = "1", title = "one" } ctx:emit { id = "2", title = "two" }
          ctx:checkpoint()
          ctx:emit { id = "3", title = "three" }
        end,
      }
      """)
    func line(_ more: String...) throws -> String {
      let ending = try program.start(["--plugin", plugin, "--first-run", "baseline"] + more).wait()
      return String(ending.output.prefix { $0 != "(" })
    }
    #expect(
      try line("--dry-run")
        == "noData  parts  first run: would store 3 items, none of which is news; in parts  ")
    #expect(
      try line() == "noData  parts  first run: 3 items stored, none of which is news; in parts  ")
    #expect(try line() == "noData  parts  sameItems; in parts  ")
  }

  @Test func `--first-run also applies to a run of one plugin`() throws {
    defer { end() }
    let one = try program.run(
      "--plugin", "rss", "--option", "url=\(server.url)/1", "--allow-private", "--first-run",
      "baseline")
    #expect(one.status == 0)
    #expect(one.lines.count == 1 && one.output.hasPrefix("noData "))
    added["/1"] = "news"
    let two = try program.run(
      "--plugin", "rss", "--option", "url=\(server.url)/1", "--allow-private", "--first-run",
      "baseline")
    #expect(two.lines.count == 2 && two.output.contains("news"))
  }

  @Test func `the items of a download that the first run requested belong to that run`() throws {
    defer { end() }
    let file = try program.write("in/file", "text")
    let plugin = try program.write(
      "pull.lua",
      """
      return {
        api = 1, name = "pull", version = "1", options = { to = {} },
        fetch = function(ctx) assert(ctx:transfer { url = "file://\(file)", to = ctx.options.to }) end,
        on_transfer = function(ctx, transfer) return { { id = transfer.to, title = "came" } } end,
      }
      """)
    func pull(_ to: String) throws -> [String] {
      try program.run(
        "--plugin", plugin, "--allow-read", program.folder.path + "/in", "--option", "to=\(to)",
        "--first-run", "baseline"
      ).lines.map { String($0.prefix { $0 != "(" }) }
    }
    #expect(
      try pull("a") == [
        "noData  pull  1 download queued  ",
        "noData  pull  download of the first run: 1 item stored, which is not news  ",
      ])
    #expect(
      try pull("b").prefix(2) == [
        "noData  pull  1 download queued  ", "newData  pull  1 added, 0 updated, 0 removed  ",
      ])
  }

  @Test func `the items of a killed first run are not news in later runs`() throws {
    let gate = DispatchSemaphore(value: 0)
    let slow = try ScriptedServer { _, connection in
      gate.wait()
      connection.answer(200, [], "go")
    }
    defer {
      slow.stop()
      end()
    }
    try program.write(
      "parts.lua",
      """
      return {
        api = 1, name = "parts", version = "1", permissions = { http = { "127.0.0.1:*" } },
        fetch = function(ctx)
          ctx:emit { id = "1", title = "one" } ctx:emit { id = "2", title = "two" }
          ctx:checkpoint()
          require("http").get("\(slow.url)/", { conditional = false })
          ctx:emit { id = "3", title = "three" }
        end,
      }
      """)
    try program.write(
      "fetchrun.yaml",
      "jobs:\n  - {name: parts, plugin: ./parts.lua, first_run: baseline}\n")
    let killed = try Watched(program, ["run", "--config", config, "--allow-private"])
    while slow.requests.isEmpty { sched_yield() }
    killed.signal(SIGKILL)
    #expect(killed.end() == 137)
    #expect(try program.run("items").lines.count == 2)
    for _ in 0..<10 { gate.signal() }
    // This run stored one of the three items. The killed run had stored the other two items.
    let output = try run().output
    #expect(
      output.hasPrefix("noData  parts  first run: 1 item stored, which is not news  ("), "\(output)"
    )
    #expect(try run().output.hasPrefix("noData  parts  sameItems  ("))
    #expect(try program.run("items", "--since", "0").output == "")
    #expect(try program.run("items").lines.count == 3)
  }
}
