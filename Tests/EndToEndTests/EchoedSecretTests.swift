import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of a secret of digits from a credential of the service manager or a keyring. A server
/// echoes the secret as a JSON number. The plugin passes the number on, for example in items, in
/// its state and in log lines.
@Suite(.timeLimit(.minutes(5))) struct EchoedSecretTests {
  private static let digits = "8412907356"
  private let program: Program

  init() throws { program = try Program() }

  private func write(
    _ server: ScriptedServer, source: String = "credential: pin", ending: String
  ) throws -> String {
    try program.write("credentials/pin", Self.digits)
    try program.write(
      "echo.lua",
      """
      local http, log = require "http", require "log"
      return {
        api = 1, name = "echo", version = "1",
        options = { url = { type = "url", required = true } },
        permissions = {
          http = { "{options.url}" }, secrets = { pin = { hosts = { "{options.url}" } } },
        },
        fetch = function(ctx)
          local answer = assert(http.get(ctx.options.url, { bearer = ctx:secret("pin") }))
          local pin = answer:json().pin
          log.info("the pin is", pin)
          local before = type(ctx.state.pin)
          ctx.state.pin = pin
          ctx.state.deep = { [1] = { pin = pin } }
          \(ending)
        end,
      }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      allow_private: true
      hooks:
        - { name: hear, command: { run: 'cat >> "$HOME/heard"', shell: true } }
        - { name: list, file: { path: feed.json, format: jsonfeed } }
        - { name: call, webhook: { url: "\(server.url)/hook", allow_private: true } }
      jobs:
        - { name: echo, plugin: ./echo.lua, options: { url: "\(server.url)/" },
            secrets: { pin: { \(source) } } }
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    return config
  }

  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      if request.path == "/hook" { return connection.answer(200, [], "") }
      let isRight = request.header("authorization") == "Bearer \(digits)"
      connection.answer(isRight ? 200 : 401, [], #"{"pin": \#(digits)}"#)
    }
  }

  private func run(_ config: String, json: Bool = false) throws -> Program.Ending {
    try program.run(
      ["run", "--config", config] + (json ? ["--json"] : []),
      environment: ["CREDENTIALS_DIRECTORY": program.folder.path + "/credentials"])
  }

  /// Checks that the secret occurs neither as text nor as an encoded number. The check includes the
  /// output, the files except the credential, and the requests to the webhook.
  private func expectNoTrace(_ endings: Program.Ending..., server: ScriptedServer) throws {
    var texts = endings.map { ("what was said", Data(($0.output + $0.messages).utf8)) }
    texts += server.requests.filter { $0.path == "/hook" }.map { ("webhook", Data($0.body)) }
    let names = FileManager.default.enumerator(atPath: program.folder.path)
    while let name = names?.nextObject() as? String {
      if name.hasPrefix("credentials") { continue }
      let bytes = FileManager.default.contents(atPath: program.folder.path + "/" + name)
      texts.append((name, bytes ?? Data()))
    }
    let number = try #require(Int64(Self.digits))
    let forms = [
      Data(Self.digits.utf8), withUnsafeBytes(of: number.bigEndian) { Data($0.dropFirst(2)) },
      withUnsafeBytes(of: number.littleEndian) { Data($0.dropLast(2)) },
      withUnsafeBytes(of: Double(number).bitPattern.bigEndian) { Data($0) },
      withUnsafeBytes(of: Double(number).bitPattern.littleEndian) { Data($0) },
    ]
    for (name, bytes) in texts {
      for form in forms { #expect(bytes.range(of: form) == nil, "\(name)") }
    }
  }

  @Test
  func `items, state, log lines and notifications have the secret's name instead of its value`()
    throws
  {
    defer { program.remove() }
    let server = try Self.server()
    defer { server.stop() }
    let config = try write(
      server,
      ending: """
        local fields = { pin = pin, deep = { pin }, before = before }
        return { { id = "1", title = "pin " .. pin, fields = fields } }
        """)
    #expect(try run(config).status == 0)
    let ending = try run(config)
    #expect(ending.status == 0, "\(ending)")
    let items = try program.run("items", "--config", config, "--json")
    #expect(items.output.contains("[secret pin]"), "\(items)")
    // The state has the name of the secret instead of the number.
    #expect(items.output.contains(#""before":"string""#), "\(items)")
    let heard = try String(contentsOfFile: program.folder.path + "/heard", encoding: .utf8)
    #expect(heard.contains("[secret pin]"))
    let hook = try #require(server.requests.first { $0.path == "/hook" })
    #expect(String(decoding: hook.body, as: UTF8.self).contains("[secret pin]"))
    let feed = try String(contentsOfFile: program.folder.path + "/feed.json", encoding: .utf8)
    #expect(feed.contains("[secret pin]"))
    try expectNoTrace(ending, items, server: server)
  }

  @Test(.enabled(if: KernelKey.isAllowed, "this kernel or container lets nobody add keys"))
  func `a secret in the kernel's keyring is used, and replaced by its name in the output`() throws {
    defer { program.remove() }
    let server = try Self.server()
    defer { server.stop() }
    let key = "fetchrun-test-\(UUID().uuidString)"
    try #require(KernelKey.add(key, Self.digits, to: .session) != nil)
    let ending = #"return { { id = "1", title = "pin " .. pin } }"#
    let config = try write(server, source: "keyring: \(key)", ending: ending)
    let run = try run(config)
    #expect(run.status == 0, "\(run)")
    let items = try program.run("items", "--config", config, "--json")
    #expect(items.output.contains(#""title":"pin [secret pin]""#), "\(items)")
    try expectNoTrace(run, items, server: server)
  }

  private static let failures = [
    #"error("pin " .. pin)"#, "error({ pin = pin })", #"return nil, "pin " .. pin"#,
  ]

  @Test(arguments: failures)
  func `an error has the secret's name wherever it is reported or stored`(ending: String) throws {
    defer { program.remove() }
    let server = try Self.server()
    defer { server.stop() }
    let config = try write(server, ending: ending)
    let run = try run(config, json: true)
    #expect(run.status == 1)
    let replay = try program.run("replay", "echo", "--config", config)
    #expect(replay.status == 0, "\(replay)")
    try expectNoTrace(run, replay, server: server)
  }
}
