import FetchValues
import Foundation
import Testing

/// Tests of the secrets of a job whose hooks are notified.
@Suite(.timeLimit(.minutes(5))) struct HookSecretTests {
  private let program: Program
  private let plugin: String
  private let environment = ["TOKEN": "s3cret-t0ken"]
  /// A command that prints the secret. The variable `TOKEN` is not in the environment of the
  /// command, so the command reads the value from a file.
  private let command: String
  private static let failure = "the command ended with status 3: cannot sign in: [secret token]"

  init() throws {
    program = try Program()
    let file = try program.write("value", "s3cret-t0ken")
    command = "echo \"cannot sign in: $TOKEN$(cat \(file))\" >&2; exit 3"
    plugin = try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1.0.0",
        permissions = { http = { "a.example" }, secrets = { token = { hosts = { "a.example" } } } },
        fetch = function() return { { id = "1" } } end,
      }
      """)
  }

  private func failures() throws -> [Value?] {
    let listed = try program.run(
      "deliveries", "--store", program.store, "--json")
    return try listed.lines.map { try JSONReader.decode($0)["failure"] }
  }

  @Test func `the output of a command that prints a job's secret is quoted without the secret`()
    throws
  {
    defer { program.remove() }
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      hooks:
        - { name: say, command: { run: '\(command)', shell: true } }
      jobs:
        - { name: news, plugin: ./probe.lua, secrets: { token: { env: TOKEN } } }
      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    let ending = try program.run("run", "--config", config, environment: environment)
    #expect(ending.status == 0)
    #expect(
      ending.messages.contains("delivery 1 of news is retried: \(Self.failure)\n"),
      "\(ending.messages)")
    #expect(!ending.messages.contains("s3cret"))
    #expect(try failures() == [.string(Self.failure)])
  }

  @Test func `the output of a command of --on-new is quoted without the secret`() throws {
    defer { program.remove() }
    let ending = try program.run(
      "--plugin", plugin, "--secret", "token=env:TOKEN", "--store",
      program.store, "--on-new", command, environment: environment)
    #expect(ending.status == 0)
    #expect(
      ending.messages.contains("delivery 1 of probe is retried: \(Self.failure)\n"),
      "\(ending.messages)")
    #expect(try failures() == [.string(Self.failure)])
  }
}
