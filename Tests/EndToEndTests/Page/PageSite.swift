import FetchTestSupport
import Foundation
import Testing

/// A daemon and a `fetchrun-web` for one test. `fetchrun-web` listens at a free port.
final class PageSite {
  /// The kinds of config that a test can choose.
  enum Content: String, Sendable {
    /// A config without jobs.
    case empty
    /// A config with five jobs, and a hook whose deliveries fail. One job fails, one job waits for
    /// a grant, and one job changes its item in each run.
    case usual
    /// A config with 10,000 jobs, of which none is due.
    case many
  }

  let program: Program
  let address: String
  private let config: String
  private let serving: Watched
  private let web: Watched

  /// A plugin whose items contain attacks on the program that shows them.
  private static let hostile = """
    return {
      api = 1, name = "page-test", version = "1.0.0", description = "items that attack",
      options = { fails = { type = "boolean", default = false } }, interval = "1h",
      fetch = function(ctx)
        if ctx.options.fails then error("always broken <script>window.attacked = 1</script>") end
        local items = {}
        for number = 1, 12 do
          items[number] = {
            id = "<img src=x onerror='window.attacked=1'>" .. number,
            title = "<b>Title</b> \\u{202E}" .. number .. "<script>window.attacked=1</script>",
            url = number == 2 and "javascript:window.attacked=1" or "https://example.org/" .. number,
            summary = "<p onclick='window.attacked=1'>Text &amp; more</p><script>window.attacked=1</script>",
            tags = { "\\"><svg onload=window.attacked=1>" },
          }
        end
        return items
      end,
    }
    """

  /// A plugin whose item has another summary in each run.
  private static let changing = """
    return {
      api = 1, name = "changing", version = "1.0.0", interval = "1h",
      fetch = function(ctx)
        ctx.state.run = (ctx.state.run or 0) + 1
        return { { id = "1", title = "The harbour", summary = "ships: " .. ctx.state.run } }
      end,
    }
    """

  private static func held(_ hosts: String) -> String {
    """
    return {
      api = 1, name = "held", version = "1.0.0", interval = "1h",
      permissions = { http = { \(hosts) } },
      fetch = function(ctx) return { { id = "1", title = "Held" } } end,
    }
    """
  }

  init(_ content: Content = .usual) throws {
    let program = try Program()
    self.program = program
    if content == .usual {
      try program.write("page-test.lua", Self.hostile)
      try program.write("changing.lua", Self.changing)
      try program.write("held.lua", Self.held(""))
      // The first run grants the file's permissions. The changed file asks for more.
      let first = try program.write("fetchrun.yaml", Self.config(content, port: 1))
      #expect(try program.run("run", "held", "--config", first).status == 0)
      try program.write("held.lua", Self.held("\"tracker.example\""))
    }
    var started: (config: String, web: Watched)?
    var serving: Watched?
    let port = try LoopbackSocket.start { port in
      let config = try program.write("fetchrun.yaml", Self.config(content, port: port))
      if serving == nil { serving = try Self.daemon(program, config, content) }
      let web = try Watched(program, ["web", "--config", config])
      guard web.wait(forMessage: "listening at http://127.0.0.1:\(port)") else {
        throw WebDriver.Failed(description: "fetchrun-web does not listen at \(port)")
      }
      started = (config, web)
    }
    (config, web) = try #require(started)
    self.serving = try #require(serving)
    address = "http://127.0.0.1:\(port)"
  }

  private static func config(_ content: Content, port: UInt16) -> String {
    let jobs =
      switch content {
      case .empty: "jobs: []"
      case .usual:
        """
        hooks:
          - { name: chat, command: [/bin/false] }
        jobs:
          - { name: alpha, plugin: ./page-test.lua }
          - { name: beta, plugin: ./page-test.lua }
          - { name: broken, plugin: ./page-test.lua, options: { fails: true } }
          - { name: changing, plugin: ./changing.lua }
          - { name: held, plugin: ./held.lua }
        """
      case .many:
        "jobs:\n"
          + (1...10_000).map {
            "  - { name: job-\($0), plugin: rss, interval: never, "
              + "options: { url: 'http://127.0.0.1:9/\($0)' } }\n"
          }.joined()
      }
    return """
      store: s.sqlite
      plugins: [\(Program.top.path)/plugins]
      web: { listen: ["127.0.0.1:\(port)"] }
      \(jobs)

      """
  }

  private static func daemon(
    _ program: Program, _ config: String, _ content: Content
  ) throws -> Watched {
    let daemon = try Watched(program, ["serve", "--config", config])
    #expect(daemon.wait(forMessage: "serving "))
    guard content == .usual else { return daemon }
    // The job is not due, because its first run was a moment ago.
    #expect(try program.run("run", "held", "--config", config).status == 1)
    for outcome in ["failed  broken", "newData  alpha", "newData  beta", "newData  changing"] {
      #expect(daemon.wait(for: .output) { $0.contains { $0.hasPrefix(outcome) } })
    }
    return daemon
  }

  /// Returns an address that logs a browser in.
  func login() throws -> String {
    let printed = try program.run("web", "--config", config)
    return try #require(printed.lines.first { $0.hasPrefix(address + "/login?code=") })
  }

  /// Logs a browser in with a new code.
  func logIn(_ browser: WebDriver) throws { try browser.open(login()) }

  /// Waits until the daemon has printed `count` lines that begin with `outcome`, such as
  /// `newData  changing`. Returns false if the daemon ends first.
  func waits(for outcome: String, count: Int) -> Bool {
    serving.wait(for: .output) { lines in lines.count { $0.hasPrefix(outcome) } >= count }
  }

  /// Waits until the page has the given title. Returns false after two minutes.
  func waits(for browser: WebDriver, title: String) throws -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while .now < end { if try browser.title() == title { return true } }
    return false
  }

  func end() {
    for one in [web, serving] {
      one.signal(SIGTERM)
      _ = one.end()
    }
    program.remove()
  }
}
