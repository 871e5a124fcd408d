import FetchTestSupport
import Foundation
import Testing

/// A daemon with three jobs and a `fetchrun-web` on a port that the system picked.
final class PageSite {
  let program: Program
  let address: String
  private let config: String
  private let serving: Watched
  private let web: Watched

  /// A plugin whose items attack whoever shows them.
  private static let plugin = """
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

  init() throws {
    let program = try Program()
    self.program = program
    let file = try program.write("page-test.lua", Self.plugin)
    var started: (config: String, web: Watched)?
    var serving: Watched?
    let port = try LoopbackSocket.start { port in
      let config = try program.write(
        "fetchrun.yaml",
        """
        store: s.sqlite
        web: { listen: ["127.0.0.1:\(port)"] }
        jobs:
          - { name: alpha, plugin: \(file) }
          - { name: beta, plugin: \(file) }
          - { name: broken, plugin: \(file), options: { fails: true } }
        """)
      if serving == nil {
        let daemon = try Watched(program, ["serve", "--config", config])
        #expect(daemon.wait(forMessage: "serving 3 jobs"))
        for outcome in ["failed  broken", "newData  alpha", "newData  beta"] {
          #expect(daemon.wait(for: .output) { $0.contains { $0.hasPrefix(outcome) } })
        }
        serving = daemon
      }
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

  /// Logs a browser in with a new code.
  func logIn(_ browser: WebDriver) throws {
    let printed = try program.run("web", "--config", config)
    let login = try #require(printed.lines.first { $0.hasPrefix(address + "/login?code=") })
    try browser.open(login)
  }

  /// Waits until the page has that title.
  func waits(for browser: WebDriver, title: String) throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
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
