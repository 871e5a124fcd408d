import FetchTestSupport
import Foundation
import Testing

/// Tests of the options and secrets of hook files in a run on the command line.
@Suite(.timeLimit(.minutes(5))) struct CommandLineHookTests {
  private let program: Program
  private let words: [String]
  private let environment = ["TOKEN": "s3cret-t0ken"]

  init() throws {
    program = try Program()
    let plugin = try program.write(
      "source.lua",
      """
      return {
        api = 1, name = "source", version = "1.0.0", fetch = function() return { { id = "1" } } end,
      }
      """)
    words = [
      "--plugin", plugin, "--store", program.folder.path + "/store.sqlite", "--allow-private",
    ]
  }

  private func hook(_ name: String) throws -> String {
    try program.write(
      name + ".lua",
      """
      return {
        options = { url = { type = "url", required = true, description = "where to post" } },
        permissions = {
          http = { "{options.url}" },
          secrets = { token = { hosts = { "{options.url}" }, required = true } },
        },
        on_new_data = function(run, changes, ctx)
          return require("http").post(ctx.options.url .. "\(name)", {
            bearer = ctx:secret("token"), json = {},
          })
        end,
      }
      """)
  }

  private func run(_ more: String...) throws -> Program.Ending {
    try program.run(words + more, environment: environment)
  }

  @Test func `with a single hook, its options and secrets need no hook name`() throws {
    defer { program.remove() }
    let room = try ScriptedServer { _, connection in connection.answer(200) }
    defer { room.stop() }
    let tell = try hook("tell")
    let missing = try run("--hook", tell)
    #expect(missing.status == 64 && missing.output == "")
    #expect(
      missing.messages.hasSuffix(
        """
        fetchrun: hook tell: option 'url' is required: where to post; set it with --hook-option \
        tell.url=https://example.org/feed.xml
        fetchrun: hook tell: the secret 'token' is missing: store it with `fetchrun secret set \
        NAME`, \
        then add --hook-secret tell.token=stored:NAME; or add --hook-secret tell.token=env:VARIABLE

        """), "\(missing)")
    let told = try run(
      "--hook", tell, "--hook-option", "url=\(room.url)/", "--hook-secret", "token=env:TOKEN")
    #expect(told.status == 0, "\(told)")
    #expect(
      told.messages.contains(
        "fetchrun: hook tell may reach 127.0.0.1, 127.0.0.1:\(room.port); may send the secret token to "
          + "127.0.0.1, 127.0.0.1:\(room.port); may reach private addresses\n"), "\(told.messages)")
    #expect(room.requests.map(\.path) == ["/tell"])
    #expect(room.requests.first?.header("authorization") == "Bearer s3cret-t0ken")
  }

  @Test func `with several hooks, each option and secret names its hook`() throws {
    defer { program.remove() }
    let room = try ScriptedServer { _, connection in connection.answer(200) }
    defer { room.stop() }
    let hooks = ["--hook", try hook("one"), "--hook", try hook("two")]
    let unclear = try program.run(
      words + hooks + ["--hook-option", "url=\(room.url)/"], environment: environment)
    #expect(unclear.status == 64)
    #expect(
      unclear.messages.hasSuffix(
        "fetchrun: --hook-option url names no hook: "
          + "write HOOK.NAME=…, where HOOK is one of one, two\n"
      ),
      "\(unclear)")
    let given = ["one", "two"].flatMap { name in
      [
        "--hook-option", "\(name).url=\(room.url)/\(name)/", "--hook-secret",
        "\(name).token=env:TOKEN",
      ]
    }
    let told = try program.run(words + hooks + given, environment: environment)
    #expect(told.status == 0, "\(told)")
    #expect(Set(room.requests.map(\.path)) == ["/one/one", "/two/two"])
  }

  @Test(arguments: [
    (["--hook-option", "url"], "--hook-option needs NAME=VALUE or HOOK.NAME=VALUE, not 'url'"),
    (["--hook-secret", "token=s3cret-t0ken"], "--hook-secret: write where the secret is, never"),
    (["--hook-secret", "s3cret-t0ken"], "--hook-secret: write where the secret is, never its"),
  ]) func `a mistyped option is reported without its value`(slip: [String], message: String) throws
  {
    defer { program.remove() }
    let ending = try program.run(words + ["--hook", try hook("tell")] + slip)
    #expect(ending.status == 64 && ending.messages.contains(message), "\(ending)")
    #expect(!ending.messages.contains("s3cret"))
    let alone = try program.run(words + ["--hook-option", "a=b"])
    #expect(alone.status == 64 && alone.messages.contains("need a hook: add --hook FILE"))
  }
}
