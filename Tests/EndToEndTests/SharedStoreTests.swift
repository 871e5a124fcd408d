import Foundation
import Testing

/// Tests of two configs that share a store, by the real program.
@Suite(.timeLimit(.minutes(5))) struct SharedStoreTests {
  private let program: Program
  /// The path of the folder without links, as the program shows it.
  private let folder: String
  private var store: String { folder + "/fetchrun/store.sqlite" }

  init() throws {
    program = try Program()
    let real = try #require(realpath(program.folder.path, nil))
    defer { free(real) }
    folder = String(cString: real)
    try program.write(
      "list.lua",
      """
      return {
        api = 1, name = "list", version = "1", options = { item = { type = "string" } },
        fetch = function(ctx) return { { id = ctx.options.item, title = ctx.options.item } } end,
      }
      """)
  }

  /// Writes a config. The job and the hook have the same names in all configs of these tests.
  @discardableResult
  private func write(_ name: String, says command: String, _ more: String = "") throws -> String {
    try program.write(
      name + "/fetchrun.yaml",
      """
      \(more)
      hooks:
        - { name: desk, command: { run: '\(command)', shell: true } }
      jobs:
        - { name: news, plugin: ../list.lua, interval: never, options: { item: of \(name) } }
      """)
    let path = folder + "/\(name)/fetchrun.yaml"
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func run(_ config: String, _ verb: String...) throws -> Program.Ending {
    try program.run((verb.isEmpty ? ["run"] : verb) + ["--config", config])
  }

  private func lines(_ name: String) -> Int {
    let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    return text?.split(separator: "\n").count ?? 0
  }

  private func warning(_ earlier: String, _ config: String, _ waiting: String = "") -> String {
    "fetchrun: warning: the store \(store) was last used with \(earlier), not with \(config): jobs and"
      + " hooks with the same name share their data\(waiting); to keep the configs apart, write"
      + " `store: fetchrun.sqlite` in \(config)\n"
  }

  @Test
  func `another config causes a warning, and does not make the first config's waiting deliveries`()
    throws
  {
    defer { program.remove() }
    let first = try write("a", says: "false")
    let second = try write("b", says: "echo x >> \(folder)/b.log")
    #expect(try !run(first).messages.contains("warning"))
    #expect(try !run(first).messages.contains("warning"))
    let other = try run(second)
    #expect(other.status == 0)
    #expect(other.output.hasPrefix("newData  news"), "\(other)")
    #expect(
      other.messages.contains(
        warning(
          first, second,
          "; 1 notification of \(first) waits until that config uses the store again")
      ), "\(other)")
    #expect(lines("b.log") == 1)
    #expect(try !run(second).messages.contains("warning"))

    let waiting = try run(second, "deliveries", "--json").lines
    #expect(waiting.count == 1)
    #expect(
      waiting.first?.contains(
        "\"failure\":\"queued by \(first), which no longer uses the store\"") == true,
      "\(waiting)")

    // The delivery is sent by a run with the config that queued the delivery.
    try write("a", says: "echo x >> \(folder)/a.log")
    #expect(try program.run("deliveries", "retry", "1", "--store", store).status == 0)
    #expect(try run(second).status == 0)
    #expect(lines("a.log") == 0 && lines("b.log") == 1)
    let again = try run(first)
    #expect(again.messages.contains(warning(second, first)), "\(again)")
    #expect(lines("a.log") == 1)
    #expect(try run(first, "deliveries", "--json").lines.isEmpty)
  }

  @Test func `a moved config keeps its store, without a warning`() throws {
    defer { program.remove() }
    let first = try write("a", says: "false")
    #expect(try run(first).status == 0)
    try FileManager.default.moveItem(atPath: folder + "/a", toPath: folder + "/c")
    let moved = try write("c", says: "echo x >> \(folder)/c.log")
    #expect(try program.run("deliveries", "retry", "1", "--store", store).status == 0)
    #expect(try !run(moved).messages.contains("warning"))
    #expect(lines("c.log") == 2)
  }

  @Test func `a config read through a link is the same config`() throws {
    defer { program.remove() }
    let first = try write("a", says: "true")
    #expect(try run(first).status == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/linked", withDestinationPath: folder + "/a")
    #expect(try !run(folder + "/linked/fetchrun.yaml").messages.contains("warning"))
  }

  @Test func `a config with the line from the warning has its own store`() throws {
    defer { program.remove() }
    let first = try write("a", says: "true")
    #expect(try run(first).status == 0)
    let second = try write("b", says: "true", "store: fetchrun.sqlite")
    #expect(try !run(second).messages.contains("warning"))
    #expect(FileManager.default.fileExists(atPath: folder + "/b/fetchrun.sqlite"))
  }

  @Test func `commands that a daemon of another config carries out also show the warning`() throws {
    defer { program.remove() }
    let first = try write("a", says: "true")
    let second = try write("b", says: "true")
    let serving = try Watched(program, ["serve", "--config", first])
    #expect(serving.wait(forMessage: "serving 1 job"))
    #expect(!serving.messages.contains { $0.contains("warning") })
    let others =
      "fetchrun: warning: the daemon on the store \(store) serves the jobs of \(first), not those of"
      + " \(second); to keep the configs apart, write `store: fetchrun.sqlite` in \(second)\n"
    let refused = try run(second)
    #expect(refused.status == 78 && refused.output.isEmpty, "\(refused)")
    #expect(
      refused.messages == """
        fetchrun: the daemon on the store \(store) serves the jobs of \(first), not those of \(second), \
        so nothing ran: to keep the configs apart, write `store: fetchrun.sqlite` in \(second); to run \
        the daemon's jobs, add --config \(first)

        """, "\(refused)")
    #expect(try run(first).status == 0)
    for verb in ["status", "budget"] {
      let ending = try run(second, verb)
      #expect(ending.status == 0 && ending.messages.contains(others), "\(verb): \(ending)")
      #expect(try !run(first, verb).messages.contains("warning"))
    }
    for verb in [["push", "news"], ["pause", "news"], ["resume", "news"]] {
      let ending = try program.run(verb + ["--config", second])
      #expect(ending.messages.contains(warning(first, second)), "\(verb): \(ending)")
      #expect(try !program.run(verb + ["--config", first]).messages.contains("warning"))
    }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    let other = try Watched(program, ["serve", "--config", second, "--json"])
    #expect(other.wait(forMessage: "\"level\":\"warning\",\"job\":null,\"message\":\"the store "))
    #expect(other.wait(forMessage: "serving 1 job"))
    other.signal(SIGINT)
    #expect(other.end() == 0)
  }

  @Test func `serve logs what it has delivered, in one line`() throws {
    defer { program.remove() }
    let config = try write("a", says: "true")
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 1 job"))
    #expect(try run(config).status == 0)
    #expect(
      serving.wait(for: .messages) {
        $0.contains("fetchrun: hook 'desk': delivered newData of news, 1 item, to sh")
      })
    #expect(try run(config).status == 0)
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    #expect(serving.messages.filter { $0.contains("delivered") }.count == 1)
  }

  @Test(.enabled(if: Namespace.isAvailable))
  func `root gets a message if the service's config is used without being named`() throws {
    defer { program.remove() }
    let job = "jobs:\n  - { name: news, plugin: \(folder)/list.lua, options: { item: x } }\n"
    try program.write("etc/fetchrun/fetchrun.yaml", "store: \(folder)/service.sqlite\n" + job)
    try program.write("empty/none", "")
    let launcher =
      Namespace.showing([(theirs: "/etc", ours: folder + "/etc")])
      + ["/usr/bin/env", "--chdir=\(folder)/empty"]
    func fetchrun(_ words: String...) throws -> Program.Ending {
      try program.start(words, launcher: launcher).wait()
    }
    let note =
      "fetchrun: note: using the service's config /etc/fetchrun/fetchrun.yaml, whose store is"
      + " \(folder)/service.sqlite; to use your own config, add --config FILE, or run as another"
      + " user\n"
    #expect(try fetchrun("run").messages == note)
    let once = try fetchrun("--plugin", folder + "/list.lua", "--option", "item=y")
    #expect(once.messages.hasPrefix(note))
    #expect(try fetchrun("items").messages == note)
    #expect(try fetchrun("status").messages.components(separatedBy: "note:").count == 2)
    #expect(try fetchrun("status").messages.hasPrefix(note))
    #expect(try fetchrun("run", "--json").messages.isEmpty)
    #expect(try fetchrun("run", "--due").messages.isEmpty)
    // The unit of the service also names the config with `--config`.
    #expect(try fetchrun("run", "--config", "/etc/fetchrun/fetchrun.yaml").messages.isEmpty)
  }
}
