import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun record`, which makes a case from real requests. The case passes unchanged.
@Suite struct RecordVerbTests {
  /// A plugin that logs in to obtain a cookie, and then requests pages one after the other with the
  /// cookie and a token.
  private static let plugin = """
    local http = require "http"
    return {
      api = 1, name = "shop", version = "1",
      options = { url = { type = "url", required = true }, token = { required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        assert(http.post(ctx.options.url .. "/login", { form = { password = ctx.options.token } }))
        local page = ctx.options.url .. "/orders?page=1"
        while page do
          local response, problem = http.get(page, { bearer = ctx.options.token })
          if not response then return nil, problem end
          if response.not_modified then return end
          local body = response:json()
          for _, order in ipairs(body.orders) do
            order.seen, order.chance = require("time").now(), math.random(1 << 30)
            ctx:emit(order)
          end
          page = body.next and ctx.options.url .. body.next
        end
      end,
    }
    """

  private static let secret = "s3cr3t/&t0ken"
  private static let cookie = "c00kie-of-the-session"

  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      switch request.path {
      case "/login": connection.answer(303, ["Set-Cookie: sid=\(cookie); Path=/", "Location: /in"])
      case "/in": connection.answer(200, [], "hello")
      case "/orders?page=1":
        guard request.header("cookie") == "sid=\(cookie)",
          request.header("authorization") == "Bearer \(secret)"
        else { return connection.answer(401) }
        if request.header("if-none-match") != nil { return connection.answer(304) }
        connection.answer(
          200, ["ETag: \"1\"", "Content-Type: application/json"],
          """
          {"orders": [{"id": 1, "title": "for \(secret)"}], "next": "/orders?page=2",
           "session": "\(cookie)"}
          """)
      default: connection.answer(200, [], "{\"orders\": [{\"id\": 2, \"title\": \"two\"}]}")
      }
    }
  }

  /// Returns the text of all files below a folder.
  private static func texts(in folder: URL) throws -> [String: String] {
    var texts: [String: String] = [:]
    let names = FileManager.default.enumerator(atPath: folder.path)
    while let name = names?.nextObject() as? String {
      guard let data = FileManager.default.contents(atPath: folder.path + "/" + name) else {
        continue
      }
      texts[name] = String(decoding: data, as: UTF8.self)
    }
    return texts
  }

  @Test func `a recording has no secrets and passes unchanged`() throws {
    let server = try Self.server()
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("shop.lua", Self.plugin)
    let recorded = try program.run(
      "record", path, "--case", "two-pages", "--option", "url=\(server.url)", "--option",
      "token=\(Self.secret)", "--allow-private", "--runs", "2")
    server.stop()
    let folder = program.folder.path + "/shop.test/two-pages"
    #expect(recorded.status == 0)
    #expect(recorded.output == "recorded  \(folder)  newData, noData  (7 requests)\n")
    #expect(
      recorded.messages.hasSuffix(
        """
        fetchrun: omitted: the option token, the cookie sid, the header Authorization
        fetchrun: to run the case, type `fetchrun test \(path) --case two-pages`

        """))
    let texts = try Self.texts(in: URL(filePath: folder))
    #expect(
      texts.keys.sorted()
        == ["answers", "answers/3-orders.json", "case.yaml", "expected.jsonl"]
        .filter { texts[$0] != nil })
    for (name, text) in texts {
      for form in [Self.secret, Self.cookie, "s3cr3t%2F%26t0ken"] {
        #expect(!text.contains(form), "\(name) has \(form)")
      }
    }
    let yaml = try #require(texts["case.yaml"])
    #expect(yaml.contains("token: SCRUBBED"))
    #expect(yaml.contains("Authorization: Bearer SCRUBBED"))
    #expect(yaml.contains("If-None-Match: \"\\\"1\\\"\""))
    #expect(yaml.contains("body: password=SCRUBBED"))

    // The server is stopped, because a case needs no server.
    let test = try program.run("test", path)
    #expect(test.status == 0, "\(test.output)")
    #expect(test.output == "passed  shop  two-pages\n")
    // No store of the user was created.
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/fetchrun"))
  }

  @Test func `a failed run is recorded, too`() throws {
    let server = try ScriptedServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      connection.close()
    }
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "cut.lua",
      """
      return {
        api = 1, name = "cut", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx) return assert(require("http").get(ctx.options.url)) end,
      }
      """)
    let recorded = try program.run(
      "record", path, "--case", "cut", "--option", "url=\(server.url)/", "--allow-private",
      "--json", "--force")
    server.stop()
    #expect(recorded.status == 0)
    let folder = program.folder.path + "/cut.test/cut"
    #expect(
      recorded.output == """
        {"case":"cut","folder":"\(folder)","outcomes":["failed"],"requests":2,"leftOut":[]}

        """)
    #expect(
      recorded.messages.contains(
        "fetchrun: a run failed: connection: the answer from 127.0.0.1:\(server.port) was cut off"))
    #expect(
      recorded.messages.contains(
        "\nfetchrun: warning: the case expects this failure, and passes with it\n"))
    let yaml = try String(contentsOfFile: folder + "/case.yaml", encoding: .utf8)
    #expect(yaml.contains("        times: 2\n        fault: cut\n"))
    #expect(try program.run("test", path).status == 0)
  }

  @Test func `the files that a plugin read are recorded, and a test does not read them again`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let plugin = Program.top.appending(path: "plugins/rss.lua")
    let path = program.folder.appending(path: "rss.lua")
    try FileManager.default.copyItem(at: plugin, to: path)
    let feed = try program.write(
      "in/feed.xml", "<rss><channel><item><title>A</title></item></channel></rss>")
    let recorded = try program.run(
      "record", path.path, "--case", "file", "--option", "url=file://\(feed)", "--allow-read",
      program.folder.path + "/in")
    #expect(recorded.status == 0, "\(recorded.messages)")
    try FileManager.default.removeItem(atPath: feed)
    let test = try program.run("test", path.path)
    #expect(test.status == 0, "\(test.output)")
  }

  @Test func `record overwrites no existing file`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("shop.lua", Self.plugin)
    try program.write("shop.test/one/notes.txt", "mine")
    let again = try program.run(
      "record", path, "--case", "one", "--option", "url=https://a.example", "--option", "token=t")
    #expect(again.status == 64)
    #expect(
      again.messages == """
        fetchrun: the case \(program.folder.path)/shop.test/one already exists: add --force to record \
        it again, or use another --case

        """)
    let name = try program.run("record", path, "--case", "../one")
    #expect(name.status == 64)
    #expect(
      name.messages.contains(
        "invalid --case '../one': use up to 100 ASCII letters, digits, '-', '_' and '.', and do not"
          + " begin with '.'"))
    let option = try program.run("record", path, "--case", "two")
    #expect(option.status == 64)
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/shop.test/two"))
  }

  @Test func `a plugin that acts differently each time is not recorded`() throws {
    let server = try ScriptedServer { _, connection in connection.answer(200) }
    defer { server.stop() }
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "moody.lua",
      """
      return {
        api = 1, name = "moody", version = "1",
        options = { url = { type = "url" }, token = {} },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx)
          local digest = require("hash").sha256(ctx.options.token)
          assert(require("http").get(ctx.options.url .. digest))
        end,
      }
      """)
    let recorded = try program.run(
      "record", path, "--case", "one", "--option", "url=\(server.url)/", "--option",
      "token=abcdefgh", "--allow-private")
    #expect(recorded.status == 1)
    #expect(
      recorded.messages.contains(
        "fetchrun: the replay differs from the recorded run: GET \(server.url)/"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/moody.test"))
  }
}
