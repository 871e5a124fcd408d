import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the live updates of pages, in a real browser.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(5)))
struct LivePageTests {
  private static let plugin = """
    return {
      api = 1, name = "live-test", version = "1.0.0", description = "a new item in every run",
      options = { fails = { type = "boolean", default = false } }, interval = "1h",
      fetch = function(ctx)
        ctx.state.run = (ctx.state.run or 0) + 1
        if ctx.options.fails and ctx.state.run > 1 then return nil, "gone" end
        return { { id = "i" .. ctx.state.run, title = "<b>T</b>" .. ctx.state.run } }
      end,
    }
    """

  /// A daemon with two jobs that have run once, and a web process.
  private final class Site {
    let program: Program
    let config: String
    let address: String
    private let serving: Watched
    private let web: Watched

    init() throws {
      let program = try Program()
      self.program = program
      let file = try program.write("live-test.lua", LivePageTests.plugin)
      var started: (web: Watched, config: String)?
      var serving: Watched?
      let port = try LoopbackSocket.start { port in
        let config = try program.write(
          "fetchrun.yaml",
          """
          store: s.sqlite
          web: { listen: ["127.0.0.1:\(port)"] }
          jobs:
            - { name: "a <i>", plugin: \(file) }
            - { name: beta, plugin: \(file) }
          """)
        if serving == nil {
          let daemon = try Watched(program, ["serve", "--config", config])
          #expect(daemon.wait(for: .output) { $0.count >= 2 })
          serving = daemon
        }
        let web = try Watched(program, ["web", "--config", config])
        guard web.wait(forMessage: "listening at http://127.0.0.1:\(port)") else {
          throw WebDriver.Failed(description: "fetchrun-web does not listen at \(port)")
        }
        started = (web, config)
      }
      (web, config) = try #require(started)
      self.serving = try #require(serving)
      address = "http://127.0.0.1:\(port)"
    }

    func run(_ job: String) throws {
      #expect(try program.run("run", job, "--config", config).status == 0)
    }

    /// Logs a browser in, opens a page and sets a mark in the page. If the page were loaded again,
    /// the mark would be missing.
    func open(_ path: String) throws -> WebDriver {
      let browser = try WebDriver()
      let printed = try program.run("web", "--config", config)
      try browser.open(try #require(printed.lines.first { $0.hasPrefix(address + "/login?code=") }))
      try browser.open(address + path)
      _ = try browser.run("window.isSamePage = true")
      return browser
    }

    func end() {
      for one in [web, serving] {
        one.signal(SIGTERM)
        _ = one.end()
      }
      program.remove()
    }
  }

  private static let count = "tr[data-job='a <i>'] td.number"

  /// Waits at most two minutes until `isTrue` returns true. Returns false if the time is over.
  private func waits(_ isTrue: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while .now < end { if try isTrue() { return true } }
    return false
  }

  @Test func `the row of a job that has run is renewed in place, but not while it has the focus`()
    throws
  {
    let site = try Site()
    defer { site.end() }
    let browser = try site.open("/")
    #expect(try browser.text(Self.count) == "1/1")
    try site.run("a <i>")
    #expect(try waits { (try? browser.text(Self.count)) == "2/2" })
    #expect(try browser.text("tr[data-job='beta'] td.number") == "1/1")
    _ = try browser.run("document.querySelector(\"tr[data-job='a <i>'] a\").focus()")
    try site.run("a <i>")
    try site.run("beta")
    // The change of the other row shows that the events have arrived.
    #expect(try waits { (try? browser.text("tr[data-job='beta'] td.number")) == "2/2" })
    #expect(try browser.text(Self.count) == "2/2")
    _ = try browser.run("document.activeElement.blur()")
    #expect(try waits { (try? browser.text(Self.count)) == "3/3" })
    #expect(try browser.run("return window.isSamePage === true") == true)
    #expect(try browser.messages() == [])
  }

  @Test(arguments: [("/items", "1 new"), ("/runs?job=beta", "1 new"), ("/jobs/beta", "1 new")])
  func `what is new is a button, and nothing moves until it is pressed`(
    path: String, label: String
  ) throws {
    let site = try Site()
    defer { site.end() }
    let browser = try site.open(path)
    let rows = "return document.querySelectorAll('ol.items > li, table.runs tbody tr').length"
    let before = try browser.run(rows)
    if path.contains("beta") { try site.run("a <i>") }
    try site.run("beta")
    #expect(try waits { (try? browser.text("#fresh")) == label })
    #expect(try browser.run(rows) == before)
    try browser.follow("#fresh")
    #expect(try browser.run(rows) != before)
    #expect(try browser.run("return document.querySelector('#fresh')") == .null)
    #expect(try browser.messages() == [])
  }

  @Test func `a hidden page holds no stream, and catches up when it is shown`() throws {
    let site = try Site()
    defer { site.end() }
    let browser = try site.open("/items")
    let streams = { () throws -> String in
      let metrics = try UnixHTTP(site.program.folder.path + "/s.sqlite.web").get("/metrics").body
      return metrics.split(separator: "\n").first { $0.hasPrefix("fetchrun_event_streams ") }
        .map(String.init) ?? ""
    }
    try site.run("beta")
    #expect(try waits { (try? browser.text("#fresh")) == "1 new" })
    #expect(try streams() == "fetchrun_event_streams 1")
    let hide = { (isHidden: Bool) throws in
      _ = try browser.run(
        """
        Object.defineProperty(document, 'hidden', {value: \(isHidden), configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
        """)
    }
    try hide(true)
    #expect(try waits { try streams() == "fetchrun_event_streams 0" })
    try site.run("beta")
    try site.run("a <i>")
    try hide(false)
    #expect(try waits { (try? browser.text("#fresh")) == "3 new" })
    #expect(try browser.messages() == [])
  }
}
