import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests that `fetchrun add ADDRESS` adds the feed to which a web page links.
@Suite struct AddPageTests {
  private let program: Program
  private let server: ScriptedServer

  init() throws {
    program = try Program()
    server = try ScriptedServer { request, connection in
      func page(_ head: String) {
        connection.answer(
          200, ["Content-Type: text/html"],
          "<!doctype html><html><head><title>t</title>\(head)</head><body>hello</body></html>")
      }
      switch request.path {
      case "/one":
        page("<link rel='Alternate' type='application/atom+xml' href='atom.xml' title='A'>")
      case "/two":
        page(
          """
          <base href="/in/">
          <link rel="stylesheet" href="x.css">
          <link rel="alternate" type="application/rss+xml" title="News" href="news.xml">
          <link rel="alternate" type="application/rss+xml" title="News again" href="news.xml">
          <link rel="alternate" hreflang="de" href="/de">
          <link rel="alternate home" type="application/feed+json" title="Talk" href="/talk.json">
          """)
      case "/none": page("<link rel='alternate' type='text/calendar' href='/x.ics'>")
      case "/json": connection.answer(200, ["Content-Type: application/json"], "{\"a\": [1]}")
      case "/broken": connection.answer(500)
      case "/elsewhere": connection.answer(302, ["Location: http://feeds.example/x"])
      case "/moved": connection.answer(302, ["Location: /one"])
      case "/feed":
        connection.answer(200, [], "<rss><channel><item><guid>1</guid></item></channel></rss>")
      default: connection.answer(404)
      }
    }
  }

  private var config: String { program.folder.path + "/fetchrun.yaml" }

  private func add(_ path: String, _ arguments: String...) throws -> Program.Ending {
    try program.start(
      ["add", server.url + path, "--name", "page", "--config", config] + arguments
    ).wait()
  }

  private func end() {
    server.stop()
    program.remove()
  }

  @Test(arguments: ["/one", "/moved"])
  func `the page's feed is added`(path: String) throws {
    defer { end() }
    let added = try add(path, "--allow-private")
    #expect(added.status == 0)
    #expect(
      added.messages.hasPrefix(
        """
        fetchrun: found the feed \(server.url)/atom.xml
        fetchrun: the job 'page' was added to \(config)

        """), "\(added.messages)")
    #expect(
      try String(contentsOfFile: config, encoding: .utf8) == """
        jobs:
          - name: page
            plugin: rss
            options:
              url: \(server.url)/atom.xml
            allow_private: true

        """)
  }

  @Test func `an address without its scheme means http if it has a port`() throws {
    defer { end() }
    let place = String(server.url.dropFirst("http://".count)) + "/one"
    let added = try program.run(
      "add", place, "--name", "page", "--config", config, "--allow-private")
    #expect(added.status == 0)
    #expect(
      added.messages.hasPrefix(
        """
        fetchrun: taking '\(place)' as \(server.url)/one
        fetchrun: found the feed \(server.url)/atom.xml

        """), "\(added.messages)")
  }

  @Test(arguments: [
    ("fetchrun.invalid", "https", "http"), ("fetchrun.invalid:443/x", "https", "http"),
    ("fetchrun.invalid:8080/x", "http", "https"), ("localhost/x", "http", "https"),
    ("127.0.0.1", "http", "https"), ("[::1]", "http", "https"),
    ("[2001:db8::1]/x", "http", "https"),
  ])
  func `if an address without its scheme does not answer, the other scheme is suggested`(
    word: String, taken: String, other: String
  ) throws {
    defer { end() }
    let ending = try program.run("add", word, "--config", config)
    #expect(ending.status == 1)
    let lines = ending.messages.split(separator: "\n").map(String.init)
    #expect(lines.first == "fetchrun: taking '\(word)' as \(taken)://\(word)", "\(lines)")
    #expect(
      lines.last?.hasPrefix("fetchrun: to try \(other), type `fetchrun add ") == true, "\(lines)")
    #expect(lines.last?.contains("\(other)://\(word)") == true)
  }

  @Test(arguments: ["rsss", "gone.lua", "mine/gone.lua", "./gone", "feeds.opml", "a@b.example"])
  func `a word that is more likely a plugin or a file is not an address`(word: String) throws {
    defer { end() }
    let ending = try program.run("add", word, "--config", config)
    #expect(ending.status == 78, "\(ending)")
    #expect(!ending.messages.contains("taking"))
  }

  @Test func `private addresses that the config permits need no option`() throws {
    defer { end() }
    try program.write("fetchrun.yaml", "allow_private: [127.0.0.0/8]\njobs: []\n")
    let added = try add("/one")
    #expect(added.status == 0, "\(added)")
    #expect(
      try String(contentsOfFile: config, encoding: .utf8) == """
        allow_private: [127.0.0.0/8]
        jobs:
          - name: page
            plugin: rss
            options:
              url: \(server.url)/atom.xml

        """)
    // The usual config of the folder also applies to a run of a single plugin.
    let words = ["--plugin", "rss", "--option", "url=\(server.url)/feed"]
    let run = try program.run(in: ".", words)
    #expect(run.status == 0 && run.output.hasPrefix("newData "), "\(run)")
    #expect(run.messages.contains("may reach the private addresses of 127.0.0.0/8"), "\(run)")
    let other = try program.run(in: ".", words + ["--store", "other.sqlite"])
    #expect(other.status == 1 && other.output.contains("--allow-private"), "\(other)")
  }

  @Test func `several feeds are listed, and the first is added`() throws {
    defer { end() }
    let added = try add("/two", "--allow-private")
    #expect(added.status == 0)
    #expect(
      added.messages.hasPrefix(
        """
        fetchrun: \(server.url)/two links to 2 feeds:
        fetchrun:   1  \(server.url)/in/news.xml  News
        fetchrun:   2  \(server.url)/talk.json  Talk
        fetchrun: using the first feed; to add another, type `fetchrun add rss --option \
        url=ADDRESS --allow-private --config \(config)`
        fetchrun: the job 'page' was added to \(config)

        """), "\(added.messages)")
    #expect(try String(contentsOfFile: config, encoding: .utf8).contains("/in/news.xml"))
  }

  @Test(.enabled(if: TypedTerminal.isAvailable, "there is no setsid to give a program a terminal"))
  func `at a terminal, the user chooses one of several feeds`() throws {
    defer { end() }
    let plugins = Program.top.path + "/plugins"
    for (answer, status, feed) in [("7\r", 64, nil), ("2\r", 0, "/talk.json")]
      as [(String, Int32, String?)]
    {
      let terminal = try TypedTerminal(
        program,
        ["add", server.url + "/two", "--name", "page", "--config", config, "--allow-private"],
        environment: ["FETCHRUN_PLUGINS": plugins])
      terminal.wait(for: "or nothing for the first")
      terminal.type(answer)
      #expect(terminal.end() == status, "\(terminal.shown)")
      let text = try? String(contentsOfFile: config, encoding: .utf8)
      #expect(feed.map { text?.contains($0) == true } ?? (text == nil))
    }
  }

  @Test func `the address of a feed is used unchanged`() throws {
    defer { end() }
    let added = try add("/feed", "--allow-private")
    #expect(added.messages.hasPrefix("fetchrun: \(server.url)/feed is a feed itself\n"))
    #expect(try String(contentsOfFile: config, encoding: .utf8).contains("url: \(server.url)/feed"))
  }

  @Test func `without a feed, nothing is written, and a message gives the reason`() throws {
    defer { end() }
    let none = try add("/none", "--allow-private")
    #expect(none.status == 1)
    #expect(
      none.messages
        == """
        fetchrun: \(server.url)/none has no `link` element for a feed; if you know the address \
        of a feed, type \
        `fetchrun add rss --option url=ADDRESS --allow-private --config \(config)`
        fetchrun: to watch the page itself for changes, type `fetchrun add web-page --option \
        url=\(server.url)/none --allow-private --config \(config)`

        """)
    // The suggested command works.
    let words = none.messages.split(separator: "`").last { $0.hasPrefix("fetchrun ") }
    let watched = try program.start(
      try #require(words).split(separator: " ").dropFirst().map(String.init)
    ).wait()
    #expect(watched.status == 0, "\(watched)")
    try FileManager.default.removeItem(atPath: config)
    let within = try add("/none", "--allow-private-network", "127.0.0.0/8")
    #expect(
      within.messages.hasSuffix(
        "url=\(server.url)/none --allow-private-network 127.0.0.0/8 --config \(config)`\n"))
    let json = try add("/json", "--allow-private")
    #expect(json.status == 1)
    #expect(
      json.messages
        == """
        fetchrun: cannot look for a feed: \(server.url)/json is JSON, not a web page
        fetchrun: to read a list in this JSON, type `fetchrun add json-api \
        --option url=\(server.url)/json --allow-private --config \(config)`

        """)
    let missing = try add("/gone", "--allow-private")
    #expect(missing.status == 1)
    #expect(
      missing.messages
        == "fetchrun: cannot look for a feed: \(server.url)/gone answered with status 404;"
        + " if the page has moved, give its new address\n")
    let broken = try add("/broken", "--allow-private")
    #expect(
      broken.messages
        == "fetchrun: cannot look for a feed: \(server.url)/broken answered with status 500\n")
    let elsewhere = try add("/elsewhere", "--allow-private")
    #expect(elsewhere.status == 1)
    #expect(elsewhere.messages.contains("the plugin or hook may not reach feeds.example"))
    #expect(elsewhere.messages.hasSuffix("; if the page has moved, give its new address\n"))
    let refused = try add("/one")
    #expect(refused.status == 1)
    #expect(refused.messages.hasPrefix("fetchrun: cannot look for a feed: "))
    #expect(refused.messages.contains("--allow-private"))
    #expect(!refused.messages.contains("moved"))
    #expect(!FileManager.default.fileExists(atPath: config))
    #expect(try add("/one", "--option", "url=x").status == 64)
  }
}
