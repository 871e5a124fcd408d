import FetchTestSupport
import Foundation
import Testing

/// Tests of `fetchrun secret set` at a terminal.
@Suite(
  .enabled(if: TypedTerminal.isAvailable, "there is no setsid to give a program a terminal"),
  .timeLimit(.minutes(5)))
struct SecretTerminalTests {
  private let program: Program
  private var file: String { program.folder.path + "/fetchrun/secrets.json" }

  init() throws { program = try Program() }

  private func prompted() throws -> TypedTerminal {
    let terminal = try TypedTerminal(program, ["secret", "set", "github"])
    terminal.wait(for: "value of 'github' (not shown): ")
    #expect(terminal.modes == 0)
    return terminal
  }

  @Test func `a value is prompted for, not shown, and stored as typed`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { request, connection in
      connection.answer(200, [], "\(request.header("authorization")?.utf8.count ?? 0)")
    }
    defer { server.stop() }
    let terminal = try prompted()
    // The input has a line that is cleared, and a typing mistake that is corrected.
    terminal.type("wrong\u{15}s3cret-tökem\u{7F}\u{7F}en-välue\r")
    #expect(terminal.end() == 0, "\(terminal.shown)")
    #expect(
      terminal.shown == "value of 'github' (not shown): \r\n"
        + "fetchrun: the secret 'github' was stored in \(file)\r\n")
    #expect(terminal.modes == TypedTerminal.usual)
    let plugin = try program.write(
      "probe.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "probe", version = "1.0.0",
        permissions = { http = { "127.0.0.1:*" }, secrets = { token = { hosts = { "127.0.0.1:*" } } } },
        fetch = function(ctx)
          local answer = assert(http.get("\(server.url)/", { bearer = ctx:secret("token") }))
          return { { id = "1", title = answer.body } }
        end,
      }
      """)
    let run = try program.run(
      "--plugin", plugin, "--allow-private", "--secret", "token=stored:github")
    #expect(run.status == 0, "\(run)")
    #expect(server.requests.first?.header("authorization") == "Bearer s3cret-töken-välue")
  }

  @Test func `Ctrl-C stores nothing, and restores the terminal's modes`() throws {
    defer { program.remove() }
    let terminal = try prompted()
    terminal.type("s3cret-h\u{03}")
    #expect(terminal.end() == 130, "\(terminal.shown)")
    #expect(terminal.shown == "value of 'github' (not shown): \r\n")
    #expect(terminal.modes == TypedTerminal.usual)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try program.run("secret", "list", "--json").output == "")
  }

  @Test func `Ctrl-C keeps a value that was stored before`() throws {
    defer { program.remove() }
    #expect(try program.run("secret", "set", "github", input: "before").status == 0)
    let kept = try Data(contentsOf: URL(filePath: file))
    let terminal = try prompted()
    terminal.type("after\u{03}")
    #expect(terminal.end() == 130)
    #expect(try Data(contentsOf: URL(filePath: file)) == kept)
  }

  @Test func `an empty value is refused`() throws {
    defer { program.remove() }
    let terminal = try prompted()
    terminal.type("\n")
    #expect(terminal.end() == 1)
    #expect(
      terminal.shown.hasSuffix(
        "fetchrun: the secret 'github' was not stored: its value is empty\r\n"))
    #expect(terminal.modes == TypedTerminal.usual)
  }
}
