import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of secrets in recordings. A recording contains no secret value, and works without the
/// values.
@Suite struct RecordedSecretTests {
  let program: Program

  init() throws { program = try Program() }

  private static let token = "t0ken/of&mine+\"quoted\""
  // The Base64 form of this value after "me:" has no padding, but the Base64 form of the dummy
  // value after "me:" has padding.
  private static let password = "pässw0rd of mine+"
  private static let cookie = "c00kie-of-the-session"

  /// Returns a plugin that sends secrets in a form, basic authentication, JSON, a bearer token, a
  /// query and a header. The plugin logs the last answer.
  private static func plugin(_ ending: String = "") -> String {
    """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "orders", version = "1",
      options = { url = { type = "url", required = true } },
      permissions = {
        http = { "{options.url}" },
        secrets = {
          token = { hosts = { "{options.url}" } }, password = { hosts = { "{options.url}" } },
        },
      },
      fetch = function(ctx)
        local url, token = ctx.options.url, ctx:secret("token")
        local password = ctx:secret("password")
        assert(http.post(url .. "login", { form = { user = "me", pass = password } }))
        assert(http.get(url .. "basic", { auth = { user = "me", password = password } }))
        assert(http.post(url .. "json", { json = { token = token } }))
        local echo = assert(http.get(url .. "orders", {
          bearer = token, query = { key = token, page = 1 }, headers = { ["X-Note"] = "as " .. token },
        }))
        log.info("echo", echo.body)
        \(ending)
        return { { id = 1, title = echo.body } }
      end,
    }
    """
  }

  private static func server(
    echoing headers: [String] = ["authorization", "x-note"]
  ) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let got = headers.compactMap { request.header($0) }
      let echo = ([request.path] + got).joined(separator: " ")
      let encoded = Data(token.utf8).base64EncodedString()
      connection.answer(
        200, ["Set-Cookie: sid=\(cookie); Path=/", "X-Session-Token: \(encoded)"],
        "\(echo) \(encoded) \(Data(("x" + password).utf8).base64EncodedString())")
    }
  }

  private var arguments: [String] {
    ["--secret", "token=env:TOKEN", "--secret", "password=env:PASSWORD", "--allow-private"]
  }

  private let environment = ["TOKEN": token, "PASSWORD": password]

  /// Returns a secret value in all encodings in which it may occur.
  private static func forms(_ value: String) -> [Data] {
    let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let percent = value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? value
    let json = (try? JSONWriter.text(.string(value))) ?? ""
    // The ends of the Base64 texts are dropped, because they depend on the surrounding text.
    let base64 = [value, "x" + value, "me:" + value].map { text in
      String(Data(text.utf8).base64EncodedString().dropFirst(6).dropLast(4))
    }
    let texts =
      [value, percent, percent.lowercased(), percent.replacing("%20", with: "+")]
      + [String(json.dropFirst().dropLast())] + base64
    return texts.map { Data($0.utf8) }
  }

  private func expectNoTrace(_ endings: Program.Ending...) throws {
    var texts = endings.map { ("what was said", Data(($0.output + $0.messages).utf8)) }
    let names = FileManager.default.enumerator(atPath: program.folder.path)
    while let name = names?.nextObject() as? String {
      let bytes = FileManager.default.contents(atPath: program.folder.path + "/" + name)
      texts.append((name, bytes ?? Data()))
    }
    #expect(texts.count > endings.count)
    for (name, bytes) in texts {
      for form in [Self.token, Self.password, Self.cookie].flatMap(Self.forms) {
        #expect(bytes.range(of: form) == nil, "\(name): \(String(decoding: form, as: UTF8.self))")
      }
    }
  }

  @Test
  func
    `a recording has the secrets' names in place of their values, and passes without the values`()
    throws
  {
    defer { program.remove() }
    let server = try Self.server(echoing: ["authorization", "cookie", "x-note"])
    let plugin = try program.write("orders.lua", Self.plugin())
    let recorded = try program.start(
      ["record", plugin, "--case", "one", "--option", "url=\(server.url)/"] + arguments,
      environment: environment
    ).wait()
    server.stop()
    #expect(recorded.status == 0, "\(recorded.messages)")
    let folder = program.folder.path + "/orders.test/one"
    #expect(recorded.output == "recorded  \(folder)  newData  (4 requests)\n")
    #expect(
      recorded.messages.contains("fetchrun: omitted: the secret token, the secret password, "))
    try expectNoTrace(recorded)
    let yaml = try String(contentsOfFile: folder + "/case.yaml", encoding: .utf8)
    #expect(yaml.contains("\n  token: made-up-token\n"))
    #expect(yaml.contains("\n  password: made-up-password\n"))
    #expect(yaml.contains("orders?key=[secret token]&page=1"))
    #expect(yaml.contains("Authorization: Bearer [secret token]"))
    #expect(yaml.contains("as [secret token]"))
    #expect(yaml.contains("pass=[secret password]"))
    // Neither the secrets nor the server are available.
    let test = try program.run("test", plugin)
    #expect(test.status == 0, "\(test.output)")
    #expect(test.output == "passed  orders  one\n")
  }

  @Test func `a failed run is kept without its secrets, and its replay fails in the same way`()
    throws
  {
    defer { program.remove() }
    let server = try Self.server()
    let plugin = try program.write(
      "orders.lua", Self.plugin("error(\"no orders in \" .. echo.body)"))
    let run = try program.start(
      ["--plugin", plugin, "--option", "url=\(server.url)/", "--json"] + arguments,
      environment: environment
    ).wait()
    server.stop()
    #expect(run.status == 1)
    let record = try JSONReader.decode(try #require(run.lines.last))
    let id = try #require(record["run"]?.stringValue)
    let message = try #require(record["failure"]?["message"]?.stringValue)
    #expect(message.hasPrefix("no orders in /orders?key=[secret token]&page=1 "))
    let replay = try program.run("replay", id)
    #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
    #expect(replay.output.hasPrefix("same  "))
    #expect(replay.output.contains(message))
    let line = try #require(record["failure"]?["line"]?.integerValue)
    #expect(replay.output.hasSuffix("(orders.lua:\(line))\n"))
    try expectNoTrace(run, replay)
    let written = try program.run("replay", id, "--case", "no-orders")
    #expect(written.status == 0, "\(written.messages)")
    try expectNoTrace(written)
    #expect(try program.run("test", plugin, "--update").status == 0)
    #expect(
      try program.run("test", plugin).output.hasPrefix(
        "passed  orders  no-orders  (expects: failed, no orders in "))
  }

  // MARK: Access tokens

  private static let clientSecret = "client&secret of mine"
  private static let refreshToken = "first-refresh-t0ken"
  private static let secondToken = "second-refresh-t0ken"
  private static let accessToken = "access+t0ken/of=mine"

  /// Returns a server that issues an access token for the first refresh token, unless `refuses` is
  /// true. To a client with the access token, the server sends the access token and other secrets.
  private static func tokenServer(refuses: Bool = false) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let body = String(decoding: request.body, as: UTF8.self)
      if request.path == "/token" {
        let isRight = body.contains("refresh_token=\(refreshToken)&") && !refuses
        connection.answer(
          isRight ? 200 : 400, [],
          isRight
            ? """
            {"access_token":"\(accessToken)","token_type":"bearer","expires_in":3600,\
            "refresh_token":"\(secondToken)"}
            """ : #"{"error":"invalid_grant"}"#)
      } else if request.header("authorization") == "Bearer \(accessToken)" {
        connection.answer(
          200, ["X-Echo: \(accessToken)"],
          [accessToken, clientSecret, refreshToken, secondToken].joined(separator: " "))
      } else {
        connection.answer(401)
      }
    }
  }

  private func writeAccessPlugin(_ ending: String = "") throws -> String {
    try program.write(
      "access.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "access", version = "1",
        options = { url = { type = "url", required = true } },
        permissions = {
          http = { "{options.url}" }, secrets = { token = { hosts = { "{options.url}" } } },
        },
        fetch = function(ctx)
          local answer = assert(http.get(ctx.options.url, { bearer = ctx:secret("token") }))
          if not answer.ok then return nil, "answered " .. answer.status end
          \(ending)
          return { { id = 1, title = answer.body } }
        end,
      }
      """)
  }

  private func writeAccessConfig(_ server: ScriptedServer) throws -> String {
    let path = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.folder.path)/store.sqlite
      secrets_key: \(program.folder.path)/key
      secrets:
        token:
          oauth2:
            token_url: \(server.url)/token
            client_id: my-app
            client_secret: { env: CLIENT }
            refresh_token: { env: REFRESH }
            scope: read
      allow_private: true
      jobs:
        - { name: access, plugin: ./access.lua, options: { url: "\(server.url)/" }, secrets: { token: true } }
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private var accessEnvironment: [String: String] {
    [
      "CLIENT": Self.clientSecret, "REFRESH": Self.refreshToken,
      "FETCHRUN_SECRETS": program.folder.path + "/secrets.json",
    ]
  }

  private func expectNoAccess(_ endings: Program.Ending...) throws {
    var texts = endings.map { Data(($0.output + $0.messages).utf8) }
    let names = FileManager.default.enumerator(atPath: program.folder.path)
    while let name = names?.nextObject() as? String {
      texts.append(FileManager.default.contents(atPath: program.folder.path + "/" + name) ?? Data())
    }
    for value in [Self.clientSecret, Self.refreshToken, Self.secondToken, Self.accessToken] {
      for form in Self.forms(value) {
        #expect(!texts.contains { $0.range(of: form) != nil }, "\(value)")
      }
    }
  }

  @Test func `an access token is recorded by its name, without the requests for it`() throws {
    defer { program.remove() }
    let server = try Self.tokenServer()
    let plugin = try writeAccessPlugin()
    let config = try writeAccessConfig(server)
    let recorded = try program.run(
      "record", plugin, "--case", "one", "--option", "url=\(server.url)/", "--allow-private",
      "--config", config, environment: accessEnvironment)
    server.stop()
    #expect(recorded.status == 0, "\(recorded.messages)")
    let folder = program.folder.path + "/access.test/one"
    #expect(recorded.output == "recorded  \(folder)  newData  (1 request)\n")
    #expect(server.requests.map(\.path) == ["/token", "/"])
    try expectNoAccess(recorded)
    let yaml = try String(contentsOfFile: folder + "/case.yaml", encoding: .utf8)
    #expect(yaml.contains("\n  token: made-up-token\n"))
    #expect(yaml.contains("Authorization: Bearer [secret token]"))
    #expect(yaml.contains("X-Echo: \"[secret token]\"") || yaml.contains("[secret token]"))
    #expect(!yaml.contains("/token"))
    let test = try program.run("test", plugin)
    #expect(test.output == "passed  access  one\n", "\(test.messages)")
  }

  @Test func `without an access token, nothing is recorded, and a message gives the reason`() throws
  {
    defer { program.remove() }
    let server = try Self.tokenServer(refuses: true)
    defer { server.stop() }
    let plugin = try writeAccessPlugin()
    let recorded = try program.run(
      "record", plugin, "--case", "one", "--option", "url=\(server.url)/", "--allow-private",
      "--config", try writeAccessConfig(server), environment: accessEnvironment)
    #expect(recorded.status == 1)
    #expect(recorded.messages.contains("cannot obtain the secret 'token': "))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/access.test"))
    try expectNoAccess(recorded)
  }

  @Test func `a failed run that had an access token fails in the same way again without one`()
    throws
  {
    defer { program.remove() }
    let server = try Self.tokenServer()
    _ = try writeAccessPlugin("error(\"no use for \" .. answer.body)")
    let config = try writeAccessConfig(server)
    let run = try program.run("run", "--config", config, environment: accessEnvironment)
    server.stop()
    #expect(run.status == 1)
    let replay = try program.run(
      "replay", "access", "--store", program.folder.path + "/store.sqlite")
    #expect(replay.status == 0, "\(replay.output)\(replay.messages)")
    #expect(replay.output.contains("no use for [secret token] [secret token.client_secret] "))
    try expectNoAccess(run, replay)
  }
}
