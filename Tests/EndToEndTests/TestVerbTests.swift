import FetchModel
import Foundation
import Testing

/// `fetchrun test` as a plugin's author uses it.
@Suite struct TestVerbTests {
  private static let plugin = """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "ships", version = "1",
      options = { url = { type = "url", default = "https://a.example/ships" } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local response, problem = http.get(ctx.options.url)
        if not response then return nil, problem end
        log.info("asked at", math.random(1000), require("time").now())
        return response:json()
      end,
    }
    """

  private static let recorded = """
    runs:
      - requests:
          - url: https://a.example/ships
            answer: { body: '[{"id": 1, "title": "Ada"}]' }
    """

  /// A program with a plugin that has one case, and the plugin's path.
  private func program(_ cases: [String: String] = ["one/case.yaml": recorded]) throws -> (
    Program, String
  ) {
    let program = try Program()
    let path = try program.write("ships.lua", Self.plugin)
    for (name, text) in cases { try program.write("ships.test/" + name, text) }
    return (program, path)
  }

  @Test func `a new case fails until what came is accepted`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    let first = try program.run("test", path)
    #expect(first.status == 1)
    #expect(first.messages == "fetchrun: 1 case: 1 failed\n")
    #expect(
      first.output == """
        failed  ships  one
          there is no expected.jsonl yet; --update writes what came
          --- expected
          +++ came
          @@ -0,0 +1,9 @@
          +change added
          +  id: 1
          +  title: Ada
          +log info
          +  message: asked at 567 1795168800.0
          +outcome newData
          +  added: 1
          +  removed: 0
          +  updated: 0

        """)
    let update = try program.run("test", path, "--update")
    #expect(update.status == 0)
    #expect(update.output == "updated  ships  one\n")
    #expect(update.messages == "fetchrun: 1 case: 1 updated\n")
    let again = try program.run("test", path)
    #expect(again.status == 0)
    #expect(again.output == "passed  ships  one\n")
    #expect(
      try String(
        contentsOf: program.folder.appending(path: "ships.test/one/expected.jsonl"), encoding: .utf8
      )
        == """
        {"change":"added","fields":{},"id":"1","publishedAt":null,"title":"Ada","url":null}
        {"log":"info","message":"asked at 567 1795168800.0"}
        {"added":1,"outcome":"newData","removed":0,"updated":0}

        """)
    // Nothing but the case's own files was written.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.folder.path).sorted()
        .filter { !$0.hasPrefix(".") } == ["ships.lua", "ships.test"])
  }

  @Test func `what differs is shown line by line`() throws {
    let (program, path) = try program([
      "one/case.yaml": Self.recorded,
      "one/expected.jsonl": """
      { "change": "added", "fields": {}, "id": "1", "title": "Eva", "publishedAt": null, "url": null }
      {"log":"info","message":"asked at 567 1795168800.0"}
      {"outcome":"newData","added":1,"updated":0,"removed":0}

      """,
    ])
    defer { program.remove() }
    let ending = try program.run("test", path)
    #expect(ending.status == 1)
    #expect(
      ending.output == """
        failed  ships  one
          --- expected
          +++ came
          @@ -1,6 +1,6 @@
           change added
             id: 1
          -  title: Eva
          +  title: Ada
           log info
             message: asked at 567 1795168800.0
           outcome newData

        """)
  }

  @Test func `a request that is not recorded fails the case, whatever the plugin makes of it`()
    throws
  {
    let (program, path) = try program([
      "one/case.yaml": """
      options: { url: "https://a.example/ship" }
      runs:
        - requests:
            - { url: "https://a.example/ships", answer: { body: '[]' } }
      """,
      "one/expected.jsonl": """
      {"code":"internalError","message":"no request can be made: GET https://a.example/ship is not in the recording; the nearest there is GET https://a.example/ships","outcome":"failed","retryable":false}

      """,
    ])
    defer { program.remove() }
    let ending = try program.run("test", path)
    #expect(ending.status == 1)
    #expect(
      ending.output == """
        failed  ships  one
          GET https://a.example/ship is not in the recording; the nearest there is GET https://a.example/ships
          GET https://a.example/ships is recorded and was not asked for

        """)
    // What is wrong with the recording is not accepted.
    #expect(try program.run("test", path, "--update").status == 1)
  }

  @Test func `JSON has an object a case`() throws {
    let (program, path) = try program(["a/case.yaml": Self.recorded, "b/case.yaml": "runs: 1"])
    defer { program.remove() }
    let ending = try program.run("test", path, "--json", "--case", "a", "--case", "b")
    #expect(ending.status == 78)
    let lines = try ending.lines.map { try JSONReader.decode($0) }
    #expect(lines.map { $0["case"] } == ["a", "b"])
    #expect(lines.map { $0["result"] } == ["failed", "bad"])
    #expect(lines.map { $0["plugin"] } == ["ships", "ships"])
    #expect(lines[0]["diff"]?.stringValue?.contains("+  title: Ada") == true)
    let file = "\(program.folder.path)/ships.test/b/case.yaml"
    #expect(lines[1]["file"]?.stringValue == file)
    #expect(
      lines[1]["problems"]?.arrayValue?.first?.stringValue == "\(file):1:7: runs must be a list")
  }

  @Test func `a case that does not fit its plugin is bad`() throws {
    let (program, path) = try program(["one/case.yaml": "options: { ulr: x }\nruns: [{}]"])
    defer { program.remove() }
    let ending = try program.run("test", path)
    #expect(ending.status == 78)
    #expect(
      ending.output == """
        bad  ships  one
          unknown option 'ulr' (did you mean 'url'?); it has url

        """)
    #expect(ending.messages == "fetchrun: 1 case: 1 unreadable\n")
  }

  @Test func `a plugin without cases, a case that is not there and a bad plugin are told`() throws {
    let (program, path) = try program([:])
    defer { program.remove() }
    let none = try program.run("test", path)
    #expect(none.status == 1)
    #expect(
      none.messages == """
        fetchrun: \(path) has no cases; fetchrun record \(path) --case NAME makes one in \
        \(program.folder.path)/ships.test
        fetchrun: 0 cases

        """)
    let unknown = try program.run("test", "rss", "--case", "not-modifed")
    #expect(unknown.status == 64)
    #expect(
      unknown.messages == """
        fetchrun: plugins/rss.lua has no case 'not-modifed' (did you mean 'not-modified'?)
        fetchrun: 0 cases

        """)
    let bad = try program.run("test", "rsss", "rss", "--case", "rdf")
    #expect(bad.status == 78)
    #expect(bad.output == "passed  rss  rdf\n")
    #expect(bad.messages.contains("no plugin 'rsss' (did you mean 'rss'?)"))
  }
}
