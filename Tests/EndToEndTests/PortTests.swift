import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the ports that grants allow, such as the ports of addresses in options and explicit
/// ports.
@Suite(.timeLimit(.minutes(5))) struct PortTests {
  let program: Program
  private let config: String

  init() throws {
    program = try Program()
    config = program.folder.path + "/fetchrun.yaml"
  }

  /// Writes a plugin that requests the address in its option `url`, and then 127.0.0.1 at the port
  /// in its option `other`. A missing option is skipped. Each item has the body or the problem.
  private func writePlugin(http: String, secrets: String = "", request: String = "{}") throws {
    try program.write(
      "probe.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "probe", version = "1",
        options = { url = { type = "url" }, other = {} },
        permissions = { http = { \(http) }, secrets = { \(secrets) } },
        fetch = function(ctx)
          local items = {}
          for _, name in ipairs { "url", "other" } do
            local address = ctx.options[name]
            -- Not an address by itself, which would open its port.
            if name == "other" and address then address = "http://127.0.0.1:" .. address .. "/x" end
            if address then
              local asked = \(request)
              asked.url, asked.method = address, asked.method or "GET"
              local answer, problem = http.request(asked)
              items[#items + 1] = { id = name, title = answer and answer.body or problem }
            end
          end
          return items
        end,
      }
      """)
  }

  private func configure(options: String, more: String = "") throws {
    try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      jobs:
        - name: probe
          plugin: ./probe.lua
          allow: { private: true }
          options: { \(options) }
          \(more)

      """)
  }

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.start(words + ["--config", config], environment: ["TOKEN": "hunter2222"]).wait()
  }

  private func titles() throws -> [String] {
    try program.run("items", "--store", program.folder.path + "/store.sqlite", "--json").lines
      .compactMap { try? JSONReader.decode($0)["title"]?.stringValue }.sorted()
  }

  private func server(_ text: String) throws -> ScriptedServer {
    try ScriptedServer { _, connection in connection.answer(200, ["ETag: \"1\""], text) }
  }

  @Test func `a hostname opens the port of an option's address and no other`() throws {
    defer { program.remove() }
    let (own, other) = (try server("own"), try server("other"))
    defer {
      own.stop()
      other.stop()
    }
    try writePlugin(http: "\"127.0.0.1\"")
    try configure(options: "url: '\(own.url)/', other: '\(other.port)'")
    let run = try fetchrun("run")
    #expect(run.status == 0, "\(run)")
    #expect(
      try titles() == [
        "own",
        "the plugin or hook may not reach 127.0.0.1:\(other.port) (granted: 127.0.0.1, "
          + "127.0.0.1:\(own.port)); add \"127.0.0.1:\(other.port)\" to its permissions.http, or to "
          + "`hosts` in the config",
      ])
    #expect(other.connectionCount == 0)
    let said = try fetchrun("permissions", "probe")
    #expect(said.output.contains("  reach 127.0.0.1 (granted at its first run, "), "\(said)")
    #expect(said.lines.contains("  reach 127.0.0.1:\(own.port) (by its option url)"), "\(said)")
  }

  @Test(arguments: ["127.0.0.1:PORT", "http://127.0.0.1:PORT", "*:PORT", "127.0.0.1:*"])
  func `a port that a manifest or the config names is open`(form: String) throws {
    defer { program.remove() }
    let other = try server("other")
    defer { other.stop() }
    let entry = form.replacing("PORT", with: "\(other.port)")
    try writePlugin(http: "\"\(entry)\"")
    try configure(options: "other: '\(other.port)'")
    #expect(try fetchrun("run").status == 0)
    #expect(try titles() == ["other"])
    let said = try fetchrun("permissions", "probe", "--json")
    #expect(said.output.contains("{\"reach\":\"\(entry)\",\"by\":\"firstRun\"}"), "\(said)")

    try writePlugin(http: "")
    let more = try fetchrun("run")
    #expect(more.status == 0, "\(more)")
    for key in ["hosts: [\"\(entry)\"]", "allow: { private: true, hosts: [\"\(entry)\"] }"] {
      try configure(options: "other: '\(other.port)'", more: key.hasPrefix("hosts") ? key : "")
      if key.hasPrefix("allow") {
        let text = try String(contentsOfFile: config, encoding: .utf8)
        try program.write(
          "fetchrun.yaml", text.replacing("allow: { private: true }", with: key))
      }
      #expect(try program.start(["check", config]).wait().status == 0)
      let run = try fetchrun("run")
      #expect(run.status == 0, "\(run)")
      #expect(try titles().contains("other"), "\(key)")
    }
  }

  @Test func `a redirect to another port needs the same grant`() throws {
    defer { program.remove() }
    let other = try server("other")
    let port = other.port
    let own = try ScriptedServer { _, connection in
      connection.answer(302, ["Location: http://127.0.0.1:\(port)/x"])
    }
    defer {
      own.stop()
      other.stop()
    }
    try writePlugin(http: "\"{options.url}\"")
    try configure(options: "url: '\(own.url)/'")
    #expect(try fetchrun("run").status == 0)
    #expect(
      try titles().first?.hasPrefix("the plugin or hook may not reach 127.0.0.1:\(port) ") == true)
    #expect(other.connectionCount == 0)
  }

  @Test func `a redirect to another granted port carries neither credentials nor a body`()
    throws
  {
    defer { program.remove() }
    let other = try server("other")
    let port = other.port
    let own = try ScriptedServer { request, connection in
      connection.answer(
        request.method == "POST" ? 307 : 302, ["Location: http://127.0.0.1:\(port)/x"])
    }
    defer {
      own.stop()
      other.stop()
    }
    for request in [
      "{ bearer = ctx:secret(\"token\"), headers = { [\"X-Key\"] = \"k\" } }",
      "{ method = \"POST\", body = ctx:secret(\"token\") }",
    ] {
      try writePlugin(
        http: "\"{options.url}\", \"127.0.0.1:\(port)\"",
        secrets: "token = { hosts = { \"{options.url}\" } }",
        request: request)
      try configure(options: "url: '\(own.url)/'", more: "secrets: { token: { env: TOKEN } }")
      #expect(try fetchrun("grant", "probe", "--yes").status == 0)
      let run = try fetchrun("run")
      #expect(run.status == 0, "\(run)")
    }
    #expect(own.requests.first?.header("Authorization") == "Bearer hunter2222")
    #expect(other.requests.count == 1)
    #expect(other.requests.first?.header("Authorization") == nil)
    #expect(other.requests.first?.header("X-Key") == nil)
    #expect(
      try titles() == [
        "127.0.0.1:\(own.port) redirects a request with a body to http://127.0.0.1:\(port), "
          + "another origin: fetchrun did not follow the redirect; use the new address if you "
          + "trust it"
      ])
  }

  @Test func `a port that runs used and that is no longer open is reported by check`() throws {
    defer { program.remove() }
    let other = try server("other")
    defer { other.stop() }
    try writePlugin(http: "")
    try configure(
      options: "other: '\(other.port)'", more: "hosts: [\"127.0.0.1:\(other.port)\"]")
    #expect(try fetchrun("run").status == 0)
    let fine = try program.start(["check", config]).wait()
    #expect(fine.status == 0 && fine.messages == "", "\(fine)")

    try configure(options: "other: '\(other.port)'", more: "hosts: [127.0.0.1]")
    let warned = try program.start(["check", config]).wait()
    #expect(warned.status == 0)
    #expect(
      warned.messages
        == "fetchrun: \(config):3:5: warning: job 'probe': its runs have sent requests to "
        + "http://127.0.0.1:\(other.port), which is no longer granted; add "
        + "'127.0.0.1:\(other.port)' to `hosts` of the job if you trust the server\n")
    // The port is open if it is in the address of an option.
    try configure(
      options: "other: '\(other.port)', url: '\(other.url)/'", more: "hosts: [127.0.0.1]")
    #expect(try program.start(["check", config]).wait().messages == "")
  }
}
