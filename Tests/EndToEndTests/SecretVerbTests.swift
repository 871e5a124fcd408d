import FetchTestSupport
import Foundation
import Testing

/// Tests of `fetchrun secret`, and secrets given to jobs.
@Suite struct SecretVerbTests {
  let program: Program

  init() throws { program = try Program() }

  private static let value = "s3cret-t0ken-value"

  private static let plugin = """
    local http, log = require "http", require "log"
    return {
      api = 1, name = "probe", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = {
        http = { "{options.url}" },
        secrets = { token = { hosts = { "{options.url}" }, required = true } },
      },
      fetch = function(ctx)
        local response = assert(http.get(ctx.options.url, { bearer = ctx:secret("token") }))
        log.info("got", response.body)
        if response.status ~= 200 then error("refused: " .. response.body) end
        return { { id = 1, title = response.body } }
      end,
    }
    """

  /// Returns a server that echoes the client's `Authorization` header, and answers 401 to a client
  /// without the token.
  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      let got = request.header("authorization") ?? ""
      connection.answer(got == "Bearer \(value)" ? 200 : 401, [], got)
    }
  }

  @Test func `a secret is set from standard input, listed by name, used, and removed`() throws {
    defer { program.remove() }
    let server = try Self.server()
    defer { server.stop() }
    let plugin = try program.write("probe.lua", Self.plugin)
    let set = try program.run("secret", "set", "github", input: Self.value + "\n")
    #expect(set.status == 0)
    let file = program.folder.path + "/fetchrun/secrets.json"
    #expect(set.messages == "fetchrun: the secret 'github' was stored in \(file)\n")
    let list = try program.run("secret", "list", "--json")
    #expect(
      list.output.contains(/^\{"name":"github","changedAt":"20[0-9T:.-]+Z"\}\n$/))
    let arguments = ["--plugin", plugin, "--option", "url=\(server.url)/", "--allow-private"]
    let run = try program.start(arguments + ["--secret", "token=stored:github", "--json"]).wait()
    #expect(run.status == 0)
    #expect(run.output.contains("\"title\":\"Bearer [secret token]\""))
    #expect(run.messages.contains("info: got Bearer [secret token]\n"))
    #expect(
      run.messages.contains(
        "may reach 127.0.0.1, 127.0.0.1:\(server.port); may send the secret token to 127.0.0.1, "
          + "127.0.0.1:\(server.port);"))
    try expectNoTrace(run)
    let refused = try program.run("secret", "remove", "github", "forge")
    #expect(refused.status == 1)
    #expect(
      refused.messages
        == "fetchrun: there is no secret 'forge'\nfetchrun: no secret was deleted\n")
    let removed = try program.run("secret", "remove", "github")
    #expect(removed.status == 0)
    #expect(removed.messages == "fetchrun: the secret 'github' was deleted\n")
    let failed = try program.start(arguments + ["--secret", "token=stored:github"]).wait()
    #expect(failed.status == 1)
    #expect(
      failed.output.contains(
        "secretUnavailable: cannot obtain the secret 'token': there is no stored secret 'github'; "
          + "set it with `fetchrun secret set github`"))
  }

  private func expectNoTrace(_ ending: Program.Ending) throws {
    #expect(!ending.output.contains(Self.value) && !ending.messages.contains(Self.value))
    let files = FileManager.default.enumerator(atPath: program.folder.path)
    for case let name as String in files ?? FileManager.DirectoryEnumerator() {
      let bytes = FileManager.default.contents(atPath: program.folder.path + "/" + name) ?? Data()
      #expect(bytes.range(of: Data(Self.value.utf8)) == nil, "\(name)")
    }
  }

  @Test func `the report of a failure does not contain the secret`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { request, connection in
      connection.answer(403, [], "<b>\(request.header("authorization") ?? "")</b>")
    }
    defer { server.stop() }
    let plugin = try program.write("probe.lua", Self.plugin)
    let run = try program.start(
      [
        "--plugin", plugin, "--option", "url=\(server.url)/", "--allow-private",
        "--secret", "token=env:TOKEN",
      ], environment: ["TOKEN": Self.value]
    ).wait()
    #expect(run.status == 1)
    #expect(run.output.contains("refused: <b>Bearer [secret token]</b>"))
    try expectNoTrace(run)
    let runs = try program.run("runs", "--json")
    #expect(runs.output.contains("refused: <b>Bearer [secret token]</b>"))
  }

  @Test func `a value is refused as an argument, and is not repeated in the message`() throws {
    defer { program.remove() }
    let set = try program.run("secret", "set", "github", Self.value)
    #expect(set.status == 64)
    #expect(
      set.messages.contains("the value of a secret cannot be an argument, where others see it"))
    #expect(!set.messages.contains(Self.value))
    let plugin = try program.write("probe.lua", Self.plugin)
    let run = try program.run("--plugin", plugin, "--secret", "token=\(Self.value)")
    #expect(run.status == 64)
    #expect(run.messages.contains("write where the secret is, never its value: NAME=env:VARIABLE"))
    #expect(!run.messages.contains(Self.value))
    #expect(try program.run("secret", "set", "a b", input: "x").status == 64)
    let empty = try program.run("secret", "set", "github", input: "\n")
    #expect(empty.status == 1)
    #expect(
      empty.messages == "fetchrun: the secret 'github' was not stored: its value is empty\n")
  }

  @Test func `a closed standard input is not reported as an empty one`() throws {
    defer { program.remove() }
    let launcher = ["/bin/sh", "-c", "exec \"$@\" <&-", "sh"]
    let closed = try program.start(["secret", "set", "github"], launcher: launcher).wait()
    #expect(closed.status == 1)
    #expect(
      closed.messages == "fetchrun: the secret 'github' was not stored: standard input cannot be "
        + "read: Bad file descriptor\n")
    #expect(
      try program.run("secret", "set", "github", input: "").messages
        == "fetchrun: the secret 'github' was not stored: standard input is empty\n")
  }

  @Test func `the check of a plugin lists the secrets that it requests`() throws {
    defer { program.remove() }
    let plugin = try program.write("probe.lua", Self.plugin)
    let check = try program.run("check", plugin)
    #expect(
      check.output
        == "\(plugin): fine: probe 1.0.0, asks for {options.url}, "
        + "the secret token for {options.url}\n")
  }

  @Test func `the place of the key is that of --key or of the environment`() throws {
    defer { program.remove() }
    let server = try Self.server()
    defer { server.stop() }
    let plugin = try program.write("probe.lua", Self.plugin)
    let key = program.folder.path + "/own.key"
    let set = try program.run("secret", "set", "site", "--key", key, input: Self.value)
    #expect(set.status == 0)
    #expect(FileManager.default.fileExists(atPath: key))
    let arguments = [
      "--plugin", plugin, "--option", "url=\(server.url)/", "--allow-private",
      "--secret", "token=stored:site",
    ]
    let named = try program.run(arguments, environment: ["FETCHRUN_SECRETS_KEY": key])
    #expect(named.status == 0, "\(named.output)\(named.messages)")
    #expect(try program.run(arguments).status == 1)
    // The flag overrides the environment.
    let other = program.folder.path + "/other.key"
    let again = try program.run(
      ["secret", "set", "site", "--key", key], environment: ["FETCHRUN_SECRETS_KEY": other],
      input: Self.value)
    #expect(again.status == 0)
    #expect(!FileManager.default.fileExists(atPath: other))
    #expect(try program.run(arguments, environment: ["FETCHRUN_SECRETS_KEY": key]).status == 0)
    try expectNoTrace(named)
  }

  @Test func `jobs get the secrets of the config, with its key`() throws {
    defer { program.remove() }
    let server = try Self.server()
    defer { server.stop() }
    try program.write("probe.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml",
      """
      secrets_key: own.key
      secrets: { site: { stored: site }, token: { stored: site } }
      jobs:
        - name: probe
          plugin: ./probe.lua
          options: { url: "\(server.url)/" }
          allow_private: true
          secrets: { token: true }
      """)
    let set = try program.run("secret", "set", "site", "--config", config, input: Self.value)
    #expect(set.status == 0)
    #expect(FileManager.default.fileExists(atPath: program.folder.path + "/own.key"))
    let run = try program.run("run", "--config", config)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("newData  probe  1 added"))
    try expectNoTrace(run)
  }

  @Test func `check reports the secrets that a job lacks, and unused ones`() throws {
    defer { program.remove() }
    try program.write("probe.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - name: none
          plugin: ./probe.lua
          options: { url: "https://a.example/" }
        - name: more
          plugin: ./probe.lua
          options: { url: "https://a.example/" }
          secrets:
            token: { env: A }
            tokens: { env: A }
      """)
    let check = try program.run("check", config, environment: ["A": "x"])
    #expect(check.status == 78)
    #expect(
      check.messages == """
        fetchrun: \(config):2:5: job 'none': the secret 'token' is missing: store it with \
        `fetchrun secret set NAME`, then add token: { stored: NAME } to `secrets`; or add token: \
        { env: VARIABLE }
        fetchrun: \(config):10:7: job 'more': the manifest does not ask for the secret 'tokens' \
        (did you mean 'token'?); it asks for token

        """)
  }
}
