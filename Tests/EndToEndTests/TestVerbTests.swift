import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun test`, as used by a plugin's author.
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

  /// Returns a program with a plugin that has one case, and the plugin's path.
  private func program(_ cases: [String: String] = ["one/case.yaml": recorded]) throws -> (
    Program, String
  ) {
    let program = try Program()
    let path = try program.write("ships.lua", Self.plugin)
    for (name, text) in cases { try program.write("ships.test/" + name, text) }
    return (program, path)
  }

  @Test func `a folder stands for its plugins that have cases`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    try program.write("other.lua", Self.plugin.replacing("ships", with: "other"))
    #expect(try program.run("test", path, "--update").status == 0)
    for folder in [program.folder.path, program.folder.path + "/"] {
      let ending = try program.run("test", folder)
      #expect(ending.status == 0 && ending.output == "passed  ships  one\n", "\(ending)")
      #expect(ending.messages == "fetchrun: 1 case: 1 passed\n")
    }
    let here = try program.run(in: ".", ["test", "."])
    #expect(here.status == 0 && here.output == "passed  ships  one\n", "\(here)")
    let none = try program.run(in: "empty", ["test", "."])
    #expect(none.status == 1)
    #expect(
      none.messages.hasPrefix(
        "fetchrun: the folder . has no plugin with cases: name a plugin's file, or record a case "
          + "with `fetchrun record FILE --case NAME`\n"), "\(none)")
  }

  @Test func `a new case fails until its result is accepted`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    let first = try program.run("test", path)
    #expect(first.status == 1)
    #expect(first.messages == "fetchrun: 1 case: 1 failed\n")
    #expect(
      first.output == """
        failed  ships  one
          there is no expected.jsonl yet; `--update` creates it if the requests match
          --- expected
          +++ actual
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
    // Only the case's own files were written.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.folder.path).sorted()
        .filter { !$0.hasPrefix(".") } == ["ships.lua", "ships.test"])
  }

  @Test func `an answer of 429 fails the run, and the test does not wait`() throws {
    let (program, path) = try program([
      "one/case.yaml": """
      runs:
        - requests:
            - url: https://a.example/ships
              answer: { status: 429, headers: { Retry-After: 120 } }
      """,
      "one/expected.jsonl": """
      {"log":"info","message":"asked at 567 1795168800.0"}
      {"code":"httpStatus","message":"https://a.example/ships answered 429","outcome":"failed","retryable":true}

      """,
    ])
    defer { program.remove() }
    let ending = try program.run("test", path)
    #expect(ending.status == 0)
    #expect(
      ending.output
        == "passed  ships  one  (expects: failed, https://a.example/ships answered 429)\n")
    #expect(ending.messages == "fetchrun: 1 case: 1 passed (1 expects a failure)\n")
  }

  @Test func `differences are shown line by line`() throws {
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
          +++ actual
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

  @Test func `changed items are listed in the order of the result`() throws {
    let (program, path) = try program([
      "one/case.yaml": Self.recorded.replacing(
        "body: '[", with: "body: '[{\"id\":7,\"title\":\"First\"},"),
      "one/expected.jsonl": "",
    ])
    defer { program.remove() }
    let output = try program.run("test", path).output
    let titles = output.split(separator: "\n").filter { $0.contains("title: ") }
    #expect(titles == ["  +  title: First", "  +  title: Ada"], "\(output)")
  }

  @Test func `an unrecorded request fails the case even if the plugin handles the error`()
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
      {"code":"internalError","message":"the request to a.example failed: GET https://a.example/ship is \
      not in the recording; the nearest request is GET \
      https://a.example/ships","outcome":"failed","retryable":false}

      """,
    ])
    defer { program.remove() }
    let ending = try program.run("test", path)
    #expect(ending.status == 1)
    #expect(
      ending.output == """
        failed  ships  one
          GET https://a.example/ship is not in the recording; the nearest request is GET \
        https://a.example/ships
          GET https://a.example/ships was sent less often than it is recorded

        """)
    // Problems of the recording cannot be accepted.
    let update = try program.run("test", path, "--update")
    #expect(update.status == 1)
    let cases = path.dropLast(4) + ".test"
    #expect(
      update.lines.last
        == "  nothing was written: `--update` accepts other results, not other requests; change"
        + " the requests in \(cases)/one/case.yaml, or record the case again")
  }

  @Test func `an unused answer is a problem that cannot be accepted`() throws {
    let (program, path) = try program([
      "one/case.yaml": """
      options: { url: "https://a.example/ships" }
      runs:
        - requests:
            - { url: "https://a.example/ships", answer: { body: '[]' } }
            - { url: "https://a.example/more", answer: { body: '[]' } }
      """
    ])
    defer { program.remove() }
    for isThere in [false, true] {
      if isThere {
        let expected = path.dropLast(4) + ".test/one/expected.jsonl"
        try "{}\n".write(toFile: String(expected), atomically: true, encoding: .utf8)
      }
      let update = try program.run("test", path, "--update")
      #expect(update.status == 1)
      #expect(
        update.output.contains(
          "GET https://a.example/more was sent less often than it is recorded\n"))
      #expect(update.output.contains("nothing was written: `--update` accepts other results, not"))
      #expect(!update.output.contains("`--update` writes"), "\(update)")
    }
  }

  @Test func `JSON has one object per case`() throws {
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

  @Test func `a case that does not fit its plugin is invalid`() throws {
    let (program, path) = try program(["one/case.yaml": "options: { ulr: x }\nruns: [{}]"])
    defer { program.remove() }
    let ending = try program.run("test", path)
    #expect(ending.status == 78)
    #expect(
      ending.output == """
        bad  ships  one
          unknown option 'ulr' (did you mean 'url'?); known options: url

        """)
    #expect(ending.messages == "fetchrun: 1 case: 1 unreadable\n")
  }

  @Test func `a plugin without cases, a missing case and an invalid plugin are reported`() throws {
    let (program, path) = try program([:])
    defer { program.remove() }
    let none = try program.run("test", path)
    #expect(none.status == 1)
    #expect(
      none.messages == """
        fetchrun: \(path) has no cases; to record one in \(program.folder.path)/ships.test, type \
        `fetchrun record \(path) --case NAME`
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

extension TestVerbTests {
  private static let keeper = """
    local files, log = require "files", require "log"
    return {
      api = 1, name = "keeper", version = "1", options = { from = { required = true } },
      permissions = { read = { "{options.from}" } },
      fetch = function(ctx)
        local from = assert(files.folder(ctx.options.from))
        for _, entry in ipairs(assert(from:list())) do
          files.write("copies/" .. entry.path, from:read(entry.path))
          ctx:emit { id = entry.path, title = entry.modified, at = from.path }
        end
        log.info(files.remove("old.txt"))
      end,
    }
    """

  @Test func `a case may have files to read, and shows changes of the job's own files`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("keeper.lua", Self.keeper)
    let folder = "keeper.test/one/"
    try program.write(
      folder + "case.yaml",
      """
      options: { from: "{case}/in" }
      allow_read: [in]
      runs: [{}, {}]
      """)
    try program.write(folder + "in/a.txt", "alpha")
    try program.write(folder + "files/old.txt", "old")
    #expect(try program.run("test", path, "--update").output == "updated  keeper  one\n")
    let expected = try String(
      contentsOfFile: program.folder.path + "/" + folder + "expected.jsonl", encoding: .utf8)
    let lines = expected.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        """
        {"change":"added","fields":{"at":"{case}/in"},"id":"a.txt","publishedAt":null,\
        "title":"2026-11-20T10:00:00Z","url":null}
        """,
        """
        {"file":"copies/a.txt",\
        "sha256":"8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8"}
        """,
        #"{"file":"old.txt","sha256":null}"#,
      ])
    #expect(lines.count == 7)
    #expect(lines[3] == #"{"log":"info","message":"true"}"#)
    // The only times in the case are those of the recording, so the case passes at any time.
    #expect(try program.run("test", path).output == "passed  keeper  one\n")
    // Nothing was written to the case's folder.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: program.folder.path + "/" + folder)
    #expect(names.sorted() == ["case.yaml", "expected.jsonl", "files", "in"])
  }

  @Test func `granted files are recorded with a case`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("keeper.lua", Self.keeper)
    try program.write("in/a.txt", "alpha")
    let from = program.folder.path + "/in"
    let recorded = try program.run(
      "record", path, "--case", "one", "--option", "from=\(from)", "--allow-read", from)
    #expect(recorded.status == 0, "\(recorded.messages)")
    try FileManager.default.removeItem(atPath: from)
    let yaml = try String(
      contentsOfFile: program.folder.path + "/keeper.test/one/case.yaml", encoding: .utf8)
    #expect(yaml.contains("from: \"{case}/granted/in\"\n"))
    #expect(yaml.contains("allow_read: [\"granted/in\"]\n"))
    #expect(try program.run("test", path).output == "passed  keeper  one\n")
  }

  @Test func `a test sends no request, not even to a server that would answer`() throws {
    let server = try ScriptedServer { _, connection in connection.answer(200, [], "[]") }
    defer { server.stop() }
    let (program, path) = try program([
      "one/case.yaml": """
      options: { url: "\(server.url)/ships" }
      allow_private: true
      runs: [{}]
      """
    ])
    defer { program.remove() }
    for arguments in [[], ["--update"]] {
      let ending = try program.start(["test", path] + arguments).wait()
      #expect(ending.status == 1)
      #expect(
        ending.lines.dropFirst().first
          == "  GET \(server.url)/ships is not in the recording, which has no requests for this run"
      )
    }
    #expect(server.connectionCount == 0)
    // A run does reach that address.
    let run = try program.run(
      "--plugin", path, "--option", "url=\(server.url)/ships", "--allow-private")
    #expect(run.status == 0)
    #expect(server.connectionCount == 1)
  }

  private static let keeping = """
    local http = require "http"
    return {
      api = 1, name = "images", version = "1",
      permissions = {
        http = { "images.example" }, secrets = { token = { hosts = { "images.example" } } },
      },
      fetch = function(ctx)
        local response = assert(http.get("https://images.example/latest", {
          bearer = ctx:secret("token"), query = { key = ctx:secret("token") },
        }))
        local id = assert(ctx:transfer { url = response:json().url, to = "a.iso", size = 3 })
        return { { id = "asked", title = "asked for " .. id } }
      end,
      on_transfer = function(ctx, transfer)
        if transfer.failure then return nil, transfer.failure.message end
        local text = assert(require("files").read(transfer.to))
        return { { id = transfer.to, title = ctx.trigger .. " " .. text, size = transfer.size } }
      end,
    }
    """

  private static let kept = """
    secrets: { token: made-up-token }
    runs:
      - requests:
          - url: https://images.example/latest?key=[secret token]
            headers: { Authorization: "Bearer [secret token]" }
            answer: { body: '{"url": "https://images.example/1.iso"}' }
      - transfer: { url: "https://images.example/1.iso", to: a.iso, size: 3 }
      - transfer:
          url: https://images.example/2.iso
          to: b.iso
          failure: { code: httpStatus, message: it is gone }
    """

  @Test func `a case may have secrets and ended downloads`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("images.lua", Self.keeping)
    try program.write("images.test/one/case.yaml", Self.kept)
    try program.write("images.test/one/files/a.iso", "iso")
    #expect(
      try program.run("test", path, "--update").output
        == "updated  images  one  (expects: failed, it is gone)\n")
    let expected = try String(
      contentsOfFile: program.folder.path + "/images.test/one/expected.jsonl", encoding: .utf8)
    let lines = expected.split(separator: "\n").map(String.init)
    try #require(lines.count == 6)
    #expect(lines[0].contains(#""title":"asked for 1""#))
    #expect(
      lines[1] == #"{"size":3,"to":"a.iso","transfer":"https://images.example/1.iso"}"#)
    #expect(lines[2] == #"{"added":1,"outcome":"newData","removed":0,"updated":0}"#)
    #expect(lines[3].contains(#""title":"transfer iso""#) && lines[3].contains(#""size":3"#))
    #expect(lines[4] == lines[2])
    #expect(lines[5].contains(#""message":"it is gone","outcome":"failed""#))
    #expect(
      try program.run("test", path).output
        == "passed  images  one  (expects: failed, it is gone)\n")

    // With another value, or none, the plugin sends another request.
    let other = Self.kept.replacing("[secret token]\"", with: "something else\"")
    try program.write("images.test/one/case.yaml", other)
    #expect(
      try program.run("test", path).output.contains(
        "GET https://images.example/latest?key=[secret token] is recorded with the header"
          + " Authorization: Bearer something else, but was sent with 'Bearer [secret token]'"))
    try program.write(
      "images.test/one/case.yaml", Self.kept.replacing("made-up-token", with: "short"))
    #expect(
      try program.run("test", path).output.contains(
        "the secret needs a made-up value of 8 bytes or more"))
    try program.write(
      "images.test/one/case.yaml", "trigger: transfer\nruns: [{}]\n")
    #expect(
      try program.run("test", path).output.contains(
        "with `trigger: transfer`, each run needs the key `transfer` with the ended download"))
  }
}
