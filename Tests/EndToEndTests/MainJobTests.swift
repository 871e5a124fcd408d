import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the main use of the program, from the command line to the store and back, as in
/// examples/try.
@Suite struct MainJobTests {
  static let feed = "file://\(Program.top.path)/examples/top-news.xml"
  static let once = [
    "--plugin", "plugins/reuters.lua", "--option", "url=\(feed)", "--allow-read", "examples",
    "--job", "news",
  ]

  /// Returns a JSON line in which the values that differ between runs are replaced.
  static func steady(_ line: String) -> String {
    line.replacing(/"run":"[0-9a-f-]{36}"/, with: "\"run\":\"…\"")
      .replacing(/"(startedAt|seenAt)":"[0-9T:.Z-]+"/) { "\"\($0.1)\":\"…\"" }
      .replacing(/"(durationSeconds|cpuSeconds)":[0-9.]+/) { "\"\($0.1)\":0" }
  }

  @Test func `the first run has the news, the second has none`() throws {
    let program = try Program()
    defer { program.remove() }
    let first = try program.start(Self.once).wait()
    #expect(first.status == 0)
    #expect(
      first.lines.first?.hasPrefix("newData  news  20 added, 0 updated, 0 removed  (") == true)
    #expect(first.lines.count == 21)
    #expect(first.messages == "fetchrun: news may read \(Program.top.path)/examples\n")
    let second = try program.start(Self.once).wait()
    #expect(second.status == 0)
    #expect(second.lines.count == 1)
    #expect(second.output.hasPrefix("noData  news  notModified  ("))
  }

  @Test func `the JSON of a run and its items is stable`() throws {
    let program = try Program()
    defer { program.remove() }
    let first = try program.start(Self.once + ["--json"]).wait()
    #expect(first.lines.count == 21)
    #expect(
      Self.steady(first.lines[19]) == """
        {"sequence":20,"job":"news","id":"newswire:20261120000","change":"added",\
        "title":"Ministers agree timetable for cross-border rail link",\
        "url":"https://newswire.example/world/ministers-agree-timetable-for-cross-border-rail-link-2026-11-20/?utm_source=feed&utm_medium=rss",\
        "publishedAt":"2026-11-20T18:05:00Z","seenAt":"…","fields":{}}
        """)
    #expect(
      Self.steady(first.lines[20]) == """
        {"run":"…","job":"news","plugin":"reuters","trigger":"manual","outcome":"newData",\
        "reason":null,"added":20,"updated":0,"removed":0,"startedAt":"…","durationSeconds":0,\
        "cpuSeconds":0,"requests":0,"receivedBytes":0,"failure":null,"nextDueAt":null}
        """)
    let second = try program.start(Self.once + ["--json"]).wait()
    #expect(second.lines.count == 1)
    #expect(second.output.contains("\"outcome\":\"noData\",\"reason\":\"notModified\""))
  }

  @Test func `the status without new data is 9 if requested`() throws {
    let program = try Program()
    defer { program.remove() }
    let arguments = Self.once + ["--error-on-no-data"]
    #expect(try program.start(arguments).wait().status == 0)
    #expect(try program.start(arguments).wait().status == 9)
  }

  @Test func `a file that was not granted is not read`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "rss", "--option", "url=\(Self.feed)", "--json")
    #expect(ending.status == 1)
    #expect(ending.output.contains("\"code\":\"permission\""))
    #expect(ending.output.contains("--allow-read"))
  }

  @Test func `items, runs and diff show stored items, and reset removes them`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.resolvingSymlinksInPath().path
    func feed(_ title: String) throws {
      try program.write(
        "feed.xml",
        """
        <rss version="2.0"><channel><title>t</title>
        <item><guid>1</guid><title>\(title)</title><link>https://a.example/1</link></item>
        <item><guid>2</guid><title>other</title><link>https://a.example/2</link></item>
        </channel></rss>
        """)
    }
    let arguments = [
      "--plugin", "rss", "--option", "url=file://\(folder)/feed.xml", "--allow-read", folder,
      "--job", "j", "--json",
    ]
    try feed("before")
    #expect(try program.start(arguments).wait().lines.count == 3)
    try feed("after that")
    let second = try program.start(arguments).wait()
    #expect(second.lines.count == 2)
    #expect(second.output.contains("\"updated\":1"))

    let items = try program.run("items", "j", "--json", "--limit", "0")
    #expect(items.lines.count == 2)
    #expect(items.lines[0].contains("\"title\":\"after that\""))
    let since = try program.run("items", "--json", "--since", "2")
    #expect(since.lines.count == 1)
    #expect(since.output.contains("\"change\":\"updated\""))

    let runs = try program.run("runs", "--json")
    #expect(runs.lines.count == 2)
    #expect(runs.lines[0].contains("\"outcome\":\"newData\""))

    let diff = try program.run("diff", "j", "1")
    #expect(diff.output.contains("-title: before\n+title: after that\n"))
    let unknown = try program.run("diff", "j", "9")
    #expect(unknown.status == 1)
    #expect(
      unknown.messages
        == "fetchrun: the job 'j' has no item '9'; `fetchrun items j --json` lists the ids\n")

    let unasked = try program.run("reset", "j")
    #expect(unasked.status == 64)
    #expect(
      unasked.messages
        == "fetchrun: add --yes to forget 2 items, the state and the validators of 'j'\n")
    let reset = try program.run("reset", "j", "--yes")
    #expect(reset.status == 0)
    #expect(try program.run("items", "--json").output.isEmpty)
    #expect(try program.start(arguments).wait().lines.count == 3)
  }

  @Test func `a failing plugin is reported with file and line`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "broken.lua",
      """
      local function deeper(ctx)
        return ctx.options.missing.field
      end
      return {
        api = 1, name = "broken", version = "1",
        fetch = function(ctx) local x = deeper(ctx) return x end,
      }
      """)
    let ending = try program.run("--plugin", path, "--json")
    #expect(ending.status == 1)
    #expect(ending.output.contains("\"code\":\"pluginError\""))
    #expect(ending.output.contains("\"file\":\"broken.lua\",\"line\":2"))
    let text = try program.run("--plugin", path)
    #expect(text.messages.contains("broken.lua:2: in "))
    #expect(text.messages.contains("broken.lua:6: in "))
    #expect(!text.messages.contains("fetchrun:main"))
  }

  @Test func `a syntax error ends with status 78, with file and line`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("bad.lua", "return {\n  api = 1,\n  name = \n}\n")
    let ending = try program.run("--plugin", path)
    #expect(ending.status == 78)
    #expect(ending.messages.contains("\(path):4: "))
    let check = try program.run("check", path, "--json")
    #expect(check.status == 78)
    #expect(check.output.contains("\"line\":4"))
  }
}
