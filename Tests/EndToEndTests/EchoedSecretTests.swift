import FetchModel
import FetchTestSupport
import Foundation
import Testing

/// Servers that send a secret back, and plugins that use what they are sent: such runs are recorded
/// and done again like others.
@Suite struct EchoedSecretTests {
  /// A way of sending it back.
  struct Echo: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var secret: String
    /// What `fetch` does with `url` and `key`; gives items.
    var code: String
    /// Headers and body for a request, where the server is at that address.
    var answer: @Sendable (ScriptedServer.Request, _ url: String) -> ([String], String)
    /// What stands in the recording.
    var recorded: [String]
  }

  private static let key = "k3y/of mine+1"
  private static let encodedKey = "k3y%2Fof%20mine%2B1"
  private static let number = "71345678"

  static let all: [Echo] = [
    Echo(
      testDescription: "a key in the address of the next page", secret: key,
      code: """
        local page = assert(http.get(url, { query = { key = key } })):json()
        log.info("next", page.next)
        local more = assert(http.get(page.next)):json()
        local items = { page.items[1], more.items[1] }
        """,
      answer: { request, url in
        let isFirst = request.path == "/?key=\(encodedKey)"
        let next = isFirst ? "\"\(url)?key=\(encodedKey)&page=2\"" : "null"
        return ([], #"{"items":[{"id":"\#(request.path.count)"}],"next":\#(next)}"#)
      },
      recorded: ["?key=[secret key]\n", "?key=[secret key]&page=2"]),
    Echo(
      testDescription: "a key in a Link header", secret: key,
      code: """
        local first = assert(http.get(url .. "a/", { query = { key = key } }))
        local target = first.headers.link:match("<(.-)>")
        local second = assert(http.get(assert(require("url").resolve(first.url, target))))
        local items = { first:json(), second:json() }
        """,
      answer: { request, _ in
        let link = "Link: </b/\(encodedKey)?p=2&key=\(encodedKey)>; rel=\"next\""
        let isFirst = request.path.hasPrefix("/a/")
        return (isFirst ? [link] : [], #"{"id":"\#(isFirst ? 1 : 2)"}"#)
      },
      recorded: [
        "a/?key=[secret key]", "</b/[secret key]?p=2&key=[secret key]>",
        "b/[secret key]?p=2&key=[secret key]",
      ]),
    Echo(
      testDescription: "a key in a redirect", secret: key,
      code: """
        local items = { assert(http.get(url .. "from", { query = { key = key } })):json() }
        """,
      answer: { request, _ in
        let isFirst = request.path.hasPrefix("/from")
        return (
          isFirst ? ["302", "Location: /to?key=\(encodedKey)&page=2"] : [], #"{"id":"1"}"#
        )
      },
      recorded: ["from?key=[secret key]", "to?key=[secret key]&page=2"]),
    Echo(
      testDescription: "a number", secret: number,
      code: """
        local session = assert(http.get(url .. "login", { bearer = key })):json()
        local orders = string.format("orders/%d/%s", session.token, session.token // 1)
        assert(http.post(url .. orders, { json = { token = session.token, other = key } }))
        local items = { { id = "1", number = session.token, next = session.next } }
        """,
      answer: { request, _ in
        let token = request.header("authorization")?.dropFirst("Bearer ".count) ?? ""
        return ([], #"{"token": \#(token), "next": 1\#(token)2, "text": "\#(token)"}"#)
      },
      recorded: [
        #""token\": [secret key], \"next\": 1[secret key]2, \"text\": \"[secret key]\""#,
        "orders/[secret key]/[secret key]", "Bearer [secret key]",
      ]),
    Echo(
      testDescription: "a text in JSON", secret: key,
      code: """
        local me = assert(http.get(url, { bearer = key })):json().me
        local body = assert(http.post(url, { json = { again = me.token }, headers = { ["X-Of"] = me.token } }))
        local items = { { id = "1", title = me.token .. "!", text = body.body } }
        """,
      answer: { request, _ in
        let token = request.header("authorization")?.dropFirst("Bearer ".count) ?? "k3y"
        return ([], #"{"me": {"token": "\#(token.replacing("/", with: "\\/"))"}}"#)
      },
      recorded: ["X-Of: \"[secret key]\"", #"again\":\"[secret key]"#]),
  ]

  private static func plugin(_ echo: Echo, _ ending: String) -> String {
    """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "echo", version = "1",
      options = { url = { type = "url", required = true } },
      permissions = {
        http = { "{options.url}" }, secrets = { key = { hosts = { "{options.url}" } } },
      },
      fetch = function(ctx)
        local url, key = ctx.options.url, ctx:secret("key")
        \(echo.code)
        \(ending)
        return items
      end,
    }
    """
  }

  private static func server(_ echo: Echo) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let (headers, body) = echo.answer(request, "http://\(request.header("host") ?? "")/")
      let status = headers.first.flatMap { Int($0) }
      connection.answer(status ?? 200, status == nil ? headers : Array(headers.dropFirst()), body)
    }
  }

  let program: Program
  private let arguments = ["--secret", "key=env:KEY", "--allow-private"]

  init() throws { program = try Program() }

  private func expectNoTrace(of echo: Echo, _ endings: Program.Ending...) throws {
    var texts = endings.map { Data(($0.output + $0.messages).utf8) }
    let names = FileManager.default.enumerator(atPath: program.folder.path)
    while let name = names?.nextObject() as? String {
      texts.append(FileManager.default.contents(atPath: program.folder.path + "/" + name) ?? Data())
    }
    for form in [echo.secret, Self.encodedKey, echo.secret.replacing("/", with: "\\/")] {
      #expect(!texts.contains { $0.range(of: Data(form.utf8)) != nil }, "\(form)")
    }
  }

  @Test(arguments: all) func `what uses it is recorded, and passes without it`(echo: Echo) throws {
    defer { program.remove() }
    let server = try Self.server(echo)
    let plugin = try program.write("echo.lua", Self.plugin(echo, ""))
    let recorded = try program.run(
      ["record", plugin, "--case", "one", "--option", "url=\(server.url)/"] + arguments,
      environment: ["KEY": echo.secret])
    server.stop()
    #expect(recorded.status == 0, "\(recorded.messages)")
    #expect(recorded.output.contains("  newData  "), "\(recorded.output)")
    try expectNoTrace(of: echo, recorded)
    let yaml = try String(
      contentsOfFile: program.folder.path + "/echo.test/one/case.yaml", encoding: .utf8)
    for text in echo.recorded { #expect(yaml.contains(text), "\(yaml)") }
    let test = try program.run("test", plugin)
    #expect(test.status == 0, "\(test.output)")
    #expect(test.output == "passed  echo  one\n")
  }

  @Test(arguments: all) func `a failed run that used it is done again`(echo: Echo) throws {
    defer { program.remove() }
    let server = try Self.server(echo)
    let ending = "error(\"no use for \" .. require(\"json\").encode(items))"
    let plugin = try program.write("echo.lua", Self.plugin(echo, ending))
    let run = try program.run(
      ["--plugin", plugin, "--option", "url=\(server.url)/", "--job", "echoes", "--json"]
        + arguments,
      environment: ["KEY": echo.secret])
    server.stop()
    #expect(run.status == 1)
    let failure = try JSONReader.decode(try #require(run.lines.last))["failure"]
    let message = try #require(failure?["message"]?.stringValue)
    #expect(message.hasPrefix("no use for ["), "\(message)")
    let replay = try program.run("replay", "echoes")
    #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
    #expect(replay.output.hasPrefix("same  echoes  "), "\(replay.output)")
    #expect(replay.output.contains(message))
    try expectNoTrace(of: echo, run, replay)

    // Mended, it is a test.
    try program.write("echo.lua", Self.plugin(echo, ""))
    let written = try program.run("replay", "echoes", "--case", "one")
    #expect(written.status == 1)
    #expect(written.output.contains("\n  +outcome newData\n"), "\(written.output)")
    #expect(try program.run("test", plugin, "--update").status == 0)
    #expect(try program.run("test", plugin).output == "passed  echo  one\n")
    try expectNoTrace(of: echo, written)
  }

  @Test func `a text of the server that only looks like a redacted secret stays as it is`() throws {
    defer { program.remove() }
    let plugin = try program.write(
      "echo.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "echo", version = "1",
        permissions = { http = { "a.example" }, secrets = { key = { hosts = { "a.example" } } } },
        fetch = function(ctx)
          return { { id = "1", title = assert(http.get("https://a.example/")).body } }
        end,
      }
      """)
    try program.write(
      "echo.test/one/case.yaml",
      """
      secrets: { key: made-up-key }
      runs:
        - requests:
            - { url: "https://a.example/", answer: { body: "[secret word] [secret key] [secret ]" } }
      """)
    let test = try program.run("test", plugin, "--update")
    #expect(test.status == 0, "\(test.output)")
    let expected = try String(
      contentsOfFile: program.folder.path + "/echo.test/one/expected.jsonl", encoding: .utf8)
    #expect(expected.contains(#""title":"[secret word] [secret key] [secret ]""#), "\(expected)")
  }
}
