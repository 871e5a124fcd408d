import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of tokens in the body of an answer. No header, cookie or query shows that these tokens are
/// secret.
@Suite struct RecordedLoginTests {
  let program: Program

  init() throws { program = try Program() }

  private static let access = "acc3ss/of+mine"
  private static let refresh = "r3fresh-of-mine"

  private static func plugin(_ ending: String = "") -> String {
    """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "login", version = "1",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        local url = ctx.options.url
        local session = assert(http.post(url .. "login", { form = { user = "me", password = "pw1" } })):json()
        local segment = require("url").encode(session.auth.access_token)
        local cursor = session.next_page_token
        local page = assert(http.get(url .. "of/" .. segment .. "/items", { query = { at = cursor } })):json()
        assert(http.post(url .. "renew", { json = { refresh = session.auth.refresh_token } }))
        \(ending)
        return page
      end,
    }
    """
  }

  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      switch request.path {
      case "/login":
        connection.answer(
          200, [],
          """
          {"auth": {"access_token": "acc3ss\\/of+mine", "refresh_token": "\(refresh)",
           "token_type": "bearer"}, "next_page_token": "cursor-0001"}
          """)
      case "/of/acc3ss%2Fof%2Bmine/items?at=cursor-0001":
        connection.answer(200, [], #"[{"id": "1", "title": "of \#(access)"}]"#)
      default:
        let isRight = String(decoding: request.body, as: UTF8.self).contains(refresh)
        connection.answer(isRight ? 200 : 404)
      }
    }
  }

  private func expectNoTrace() throws {
    let names = FileManager.default.enumerator(atPath: program.folder.path)
    while let name = names?.nextObject() as? String {
      let bytes = FileManager.default.contents(atPath: program.folder.path + "/" + name) ?? Data()
      for form in [Self.refresh, "acc3ss", "=pw1"] where !name.hasSuffix("store.sqlite-shm") {
        #expect(bytes.range(of: Data(form.utf8)) == nil, "\(name): \(form)")
      }
    }
  }

  @Test func `a recording has no tokens, and passes unchanged`() throws {
    defer { program.remove() }
    let server = try Self.server()
    let plugin = try program.write("login.lua", Self.plugin())
    let recorded = try program.run(
      "record", plugin, "--case", "one", "--option", "url=\(server.url)/", "--allow-private")
    server.stop()
    #expect(recorded.status == 0, "\(recorded.messages)")
    #expect(recorded.output.contains("  newData  (3 requests)"), "\(recorded.output)")
    #expect(
      recorded.messages.contains(
        "fetchrun: omitted: the body field password, the body field access_token, "
          + "the body field refresh_token\n"), "\(recorded.messages)")
    try expectNoTrace()
    let yaml = try String(
      contentsOfFile: program.folder.path + "/login.test/one/case.yaml", encoding: .utf8)
    #expect(yaml.contains("/of/SCRUBBED/items?at=cursor-0001"), "\(yaml)")
    #expect(yaml.contains("SCRUBBED2"), "\(yaml)")
    let test = try program.run("test", plugin)
    #expect(test.output == "passed  login  one\n", "\(test.output)")
  }

  @Test func `a failed run is kept without its tokens, and its replay fails in the same way`()
    throws
  {
    defer { program.remove() }
    let server = try Self.server()
    let plugin = try program.write(
      "login.lua", Self.plugin("error(\"no use for \" .. cursor)"))
    let run = try program.run(
      "--plugin", plugin, "--option", "url=\(server.url)/", "--allow-private", "--job", "logins")
    server.stop()
    #expect(run.status == 1)
    try expectNoTrace()
    let replay = try program.run("replay", "logins")
    #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
    #expect(replay.output.hasPrefix("same  logins  "), "\(replay.output)")
    #expect(replay.output.contains("no use for cursor-0001"))
  }
}
