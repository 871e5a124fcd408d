import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of hooks of a config that deliver to a receiver.
@Suite(.timeLimit(.minutes(5))) struct HookSinkTests {
  private let program: Program
  private let config: String

  init() throws {
    program = try Program()
    config = program.folder.path + "/fetchrun.yaml"
    try program.write(
      "list.lua",
      """
      return {
        api = 1, name = "list", version = "1.0.0", options = { titles = { type = "list" } },
        items = { complete = true },
        fetch = function(ctx)
          local items = {}
          for i, title in ipairs(ctx.options.titles) do
            items[i] = { id = title, title = title, url = "https://a.test/" .. i }
          end
          return items
        end,
      }
      """)
  }

  /// Runs a config once with these hooks. The plugin returns items with these titles.
  private func run(
    _ titles: [String], hooks: String, environment: [String: String] = [:]
  ) throws -> Program.Ending {
    try write(titles, hooks: hooks)
    let ending = try program.run("run", "--config", config, environment: environment)
    #expect(ending.status == 0 && !ending.messages.contains("again"), "\(ending)")
    return ending
  }

  private func write(_ titles: [String], hooks: String) throws {
    let list = try JSONWriter.text(.array(titles.map(Value.string)))
    try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      hooks:
      \(hooks)
      jobs:
        - { name: ships, plugin: ./list.lua, options: { titles: \(list) } }

      """)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
  }

  @Test func `a removed item is news for hooks with the event removed`() throws {
    defer { program.remove() }
    let (log, tell) = (program.folder.path + "/log", program.folder.path + "/./tell.lua")
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    try program.write(
      "tell.lua",
      """
      return {
        permissions = { http = { "127.0.0.1:*" } },
        on_new_data = function(run, changes)
          return require("http").post("\(server.url)/", {
            json = {
              removed = run.removed, change = changes[1].change, id = changes[1].id,
              title = changes[1].title,
            },
          })
        end,
      }
      """)
    let hooks = """
        - { name: gone, on: removed, command: { run: 'cat >> \(log)', shell: true } }
        - { name: new, on: added, command: { run: 'echo new >> \(log)', shell: true } }
        - { name: tell, on: removed, lua: { file: \(tell), allow: { private: 127.0.0.0/8 } } }
      """
    #expect(try run(["a", "b"], hooks: hooks).output.hasPrefix("newData  ships  2 added"))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "new\n")
    #expect(try run(["a"], hooks: hooks).output.contains("0 updated, 1 removed"))
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    let told = try JSONReader.decode(String(lines.last ?? ""))
    #expect(told["event"] == "newData" && told["run"]?["removed"] == 1, "\(told)")
    let items = told["items"]?.arrayValue ?? []
    #expect(items.map { $0["change"] } == ["removed"] && items.map { $0["id"] } == ["b"])
    #expect(server.requests.count == 1)
    let posted = try JSONReader.decode(
      String(decoding: server.requests.first?.body ?? [], as: UTF8.self))
    #expect(posted == ["removed": 1, "change": "removed", "id": "b", "title": "b"])
    #expect(items.map { $0["title"] } == ["b"] && items.map { $0["url"] } == ["https://a.test/2"])
    // The item is delivered once.
    _ = try run(["a"], hooks: hooks)
    #expect(server.requests.count == 1)
  }

  /// A process that ignores SIGCHLD gets no status of its child processes.
  @Test func `a command that fails is reported even if the parent ignores SIGCHLD`() throws {
    defer { program.remove() }
    let hooks = "  - { name: bad, command: { run: 'exit 3', shell: true } }"
    try write(["a"], hooks: hooks)
    let ending = try program.start(
      ["run", "--config", config], launcher: ["/usr/bin/env", "--ignore-signal=CHLD"]
    ).wait()
    #expect(ending.messages.contains("the command ended with status 3"), "\(ending)")
  }

  @Test func `a body is written by its template, and no title can break out of it`() throws {
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let hooks = """
        - name: chat
          batch: each
          webhook:
            url: \(server.url)/in
            allow_private: true
            content_type: application/vnd.chat+json
            body: '{"text": {{json:title}}, "link": {{json:item.url}}, "of": "{{job}}/{{count}}"}'
      """
    _ = try run(["b", #"It's "new" {{id}} \ "#], hooks: hooks)
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(
      bodies == [
        #"{"text": "It's \"new\" {{id}} \\ ", "link": "https://a.test/2", "of": "ships/1"}"#,
        #"{"text": "b", "link": "https://a.test/1", "of": "ships/1"}"#,
      ])
    #expect(
      server.requests.allSatisfy { $0.header("content-type") == "application/vnd.chat+json" })
  }

  @Test func `a message is sent to all named receivers`() throws {
    defer { program.remove() }
    let server = try MailServer(offersSignIn: true)
    defer { server.stop() }
    let hooks = """
        - name: mail
          email:
            server: \(server.url)
            from: ships@harbour.test
            to: [ada@harbour.test, bob@harbour.test]
            user: ships
            password: { env: PASS }
            subject: "{{count}} of {{job}}: {{title}}"
            allow_plain: true
      """
    _ = try run(["Aurora", "Berta"], hooks: hooks, environment: ["PASS": "geheimes-wort"])
    #expect(server.messages.count == 1)
    let message = try #require(server.messages.first)
    #expect(message.from == "<ships@harbour.test>")
    #expect(message.to == ["<ada@harbour.test>", "<bob@harbour.test>"])
    #expect(message.text.contains("\r\nSubject: 2 of ships: Berta\r\n"), "\(message.text)")
    let parts = message.text.components(separatedBy: "\r\n\r\n").dropFirst()
    let body = Data(base64Encoded: parts.joined().replacing("\r\n", with: ""))
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(
      body?.contains("ships, added: Berta\r\nhttps://a.test/2\r\n\r\nships, added: Aurora") == true,
      "\(body ?? "")")
    #expect(server.words.contains { $0.hasSuffix("AHNoaXBzAGdlaGVpbWVzLXdvcnQ=") })
  }
}
