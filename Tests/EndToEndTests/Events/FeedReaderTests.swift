import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the feeds in the feed reader newsboat and in the plugin `rss`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedReaderTests {
  private static let newsboat = "/usr/bin/newsboat"

  /// A title with characters that need an escape in HTML, in XML or in CDATA.
  private static let title = #"<b>A</b> & "x" ]]> <![CDATA[ &amp; 'y'"#

  private static let plugin = """
    return {
      api = 1, name = "reader-test", version = "1.0.0", description = "items for feed readers",
      interval = "1h",
      fetch = function(ctx)
        ctx.state.run = (ctx.state.run or 0) + 1
        local items = {}
        for number = 1, ctx.state.run do
          items[number] = {
            id = "i" .. number, title = [==[\(title)]==] .. number,
            url = "https://example.org/?a=1&b=" .. number,
            content = "<p>Text</p><script>alert(1)</script>",
          }
        end
        return items
      end,
    }
    """

  /// A store with one run, and a web process that serves the feeds.
  private final class Site {
    let program: Program
    let config: String
    let address: String
    let token: String
    private let web: Watched

    init() throws {
      let program = try Program()
      self.program = program
      let file = try program.write("reader-test.lua", FeedReaderTests.plugin)
      var started: (web: Watched, config: String)?
      let port = try LoopbackSocket.start { port in
        let config = try program.write(
          "fetchrun.yaml",
          """
          store: s.sqlite
          web: { listen: ["127.0.0.1:\(port)"] }
          jobs: [{ name: "a/b news", plugin: \(file) }]
          """)
        if started == nil { #expect(try program.run("run", "--config", config).status == 0) }
        let web = try Watched(program, ["web", "--config", config])
        guard web.wait(forMessage: "listening at http://127.0.0.1:\(port)") else {
          throw EventListener.Failed()
        }
        started = (web, config)
      }
      (web, config) = try #require(started)
      let added = try program.run(
        "token", "add", "reader", "--scope", "feed", "--config", config)
      token = try #require(added.lines.first)
      address = "http://127.0.0.1:\(port)/feeds/a%2Fb%20news"
    }

    func end() {
      web.signal(SIGTERM)
      _ = web.end()
      #expect(!web.messages.contains { $0.contains(token) })
      program.remove()
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: newsboat)))
  func `newsboat subscribes and finds new items`() throws {
    let site = try Site()
    defer { site.end() }
    let folder = site.program.folder.path
    let urls = try site.program.write("urls", "\(site.address).atom?token=\(site.token)\n")
    let settings = try site.program.write("newsboat", "")
    func titles() throws -> [String] {
      let reload = try site.program.start(command: [
        Self.newsboat, "-u", urls, "-c", folder + "/cache.db", "-C", settings, "-x", "reload",
      ]).wait()
      #expect(reload.status == 0, "\(reload.messages)")
      return try site.program.start(command: [
        "/usr/bin/sqlite3", folder + "/cache.db", "select title from rss_item order by title",
      ]).wait().lines
    }
    #expect(try titles() == [Self.title + "1"])
    #expect(try site.program.run("run", "--config", site.config).status == 0)
    #expect(try titles() == [Self.title + "1", Self.title + "2"])
  }

  @Test(arguments: ["atom", "rss", "json"])
  func `our own plugin reads each format back`(ending: String) throws {
    let site = try Site()
    defer { site.end() }
    let read = try site.program.run(
      "--plugin", "rss", "--option", "url=\(site.address).\(ending)?token=\(site.token)",
      "--allow-private", "--json", "--store", site.program.folder.path + "/other.sqlite")
    let lines = try read.lines.map { try JSONReader.decode($0) }
    let item = try #require(lines.first { $0["title"] != nil }, "\(read.output) \(read.messages)")
    // The plugin `rss` reads the title of an item in RSS as HTML.
    let title = ending == "rss" ? #"A & "x" ]]> <![CDATA[ & 'y'"# : Self.title
    #expect(item["title"]?.stringValue == title + "1")
    #expect(item["url"]?.stringValue == "https://example.org/?a=1&b=1")
    #expect(item["id"]?.stringValue == "urn:fetchrun:a%2Fb%20news:i1")
  }
}
