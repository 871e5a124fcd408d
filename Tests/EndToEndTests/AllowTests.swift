import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the permissions that `allow` in a config gives to jobs and hook files, and of the
/// limits of these permissions.
@Suite(.timeLimit(.minutes(5))) struct AllowTests {
  let program: Program
  private let config: String
  private var file: String { program.folder.path + "/./probe.lua" }

  init() throws {
    program = try Program()
    config = program.folder.path + "/fetchrun.yaml"
  }

  private func configure(
    allow: String, defaults: String = "", hooks: String = "hooks: []", options: String = ""
  ) throws {
    try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      \(hooks)
      defaults: { \(defaults) }
      jobs:
        - { name: probe, plugin: ./probe.lua, allow: \(allow), options: { \(options) } }

      """)
  }

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.start(words + ["--config", config]).wait()
  }

  private static let writer = """
    local files = require "files"
    return {
      api = 1, name = "probe", version = "1.0.0", permissions = { http = { "a.example" } },
      fetch = function(ctx)
        local items = {}
        local function say(what, done, problem)
          items[#items + 1] = { id = what, title = done and "done" or problem }
        end
        say("at", files.write("one.txt", "1"))
        say("below", files.write("in/deep/two.txt", "2"))
        say("inside", files.move("in/deep/two.txt", "in/three.txt"))
        say("beside", files.write("inn/x", "x"))
        say("longer", files.write("one.txt.new", "x"))
        say("climbing", files.write("in/../out", "x"))
        say("from", files.move("kept", "in/kept"))
        say("to", files.move("in/three.txt", "three.txt"))
        say("removal", files.remove("kept"))
        say("reading", files.read("kept") == "kept")
        say("transfer", ctx:transfer { url = "https://a.example/x", to = "out/x" })
        say("backup", ctx:transfer { url = "https://a.example/x", to = "in/x", backup = "old/x" })
        return items
      end,
    }
    """

  private func titles() throws -> [String: String] {
    let items = try program.run(
      "items", "--store", program.folder.path + "/store.sqlite", "--json")
    var titles: [String: String] = [:]
    for line in items.lines {
      let item = try JSONReader.decode(line)
      titles[item["id"]?.stringValue ?? ""] = item["title"]?.stringValue
    }
    return titles
  }

  @Test func `a plugin writes only to the permitted paths of its folder`() throws {
    defer { program.remove() }
    try program.write("probe.lua", Self.writer)
    try program.write("files/probe/kept", "kept")
    try configure(allow: "{ write: [in, one.txt] }")
    let run = try fetchrun("run")
    #expect(run.status == 0, "\(run)")
    func refused(_ path: String) -> String {
      "the plugin may not write \(path) in the job's folder (granted: in, one.txt); add the path "
        + "to `allow.write` in the config"
    }
    let titles = try titles()
    for done in ["at", "below", "inside", "reading"] {
      #expect(titles[done] == "done", "\(done)")
    }
    #expect(titles["beside"] == refused("inn/x"))
    #expect(titles["longer"] == refused("one.txt.new"))
    #expect(titles["climbing"]?.hasPrefix("'in/../out' is not a path in the folder: ") == true)
    #expect(titles["from"] == refused("kept"))
    #expect(titles["to"] == refused("three.txt"))
    #expect(titles["removal"] == refused("kept"))
    #expect(titles["transfer"] == refused("out/x"))
    #expect(titles["backup"] == refused("old/x"))
    let left = try FileManager.default.subpathsOfDirectory(
      atPath: program.folder.path + "/files/probe")
    #expect(
      Set(left).subtracting([".fetchrun-partial"])
        == ["in", "in/deep", "in/three.txt", "kept", "one.txt"])
    let said = try fetchrun("permissions", "probe")
    #expect(
      said.lines.suffix(2) == [
        "  write to 'in' in the job's folder (by the config)",
        "  write to 'one.txt' in the job's folder (by the config)",
      ], "\(said)")
    let json = try fetchrun("permissions", "probe", "--json").output
    #expect(json.contains(#"{"keep":"files","in":"one.txt","by":"config"}"#), "\(json)")
  }

  @Test(arguments: ["write: []", "write: false"])
  func `a plugin that may write to no path does not run`(write: String) throws {
    defer { program.remove() }
    try program.write("probe.lua", Self.writer)
    try configure(allow: "{ \(write) }", defaults: "allow: { write: [in] }")
    let run = try fetchrun("run")
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        "\(file) asks to keep files in the job's folder, which `allow` does not permit for the job "
          + "'probe'; the file has not run: add this to `allow` of the job in the config if you "
          + "trust the file"),
      "\(run)")
  }

  @Test func `an empty list permits no reading, even with a grant`() throws {
    defer { program.remove() }
    try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1.0.0", permissions = { read = { "/srv/in" } },
        fetch = function() return {} end,
      }
      """)
    try configure(allow: "{ read: [] }", defaults: "allow_read: [/srv]")
    let run = try fetchrun("run")
    #expect(run.status == 1)
    #expect(
      run.output.contains("asks to read /srv/in, which `allow` does not permit for the job"),
      "\(run)")
    let grant = try fetchrun("grant", "probe", "--yes")
    #expect(
      grant.status == 1 && grant.messages.contains("which `allow` does not permit for the job"))
    try configure(allow: "{}", defaults: "allow_read: [/srv]")
    #expect(try fetchrun("run").status == 0)
  }

  @Test(arguments: ["", "/srv/else"])
  func `a path in an option is read only if the list permits it`(listed: String) throws {
    defer { program.remove() }
    try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1.0.0", options = { dir = {} },
        permissions = { read = { "{options.dir}" } }, fetch = function() return {} end,
      }
      """)
    try configure(allow: "{ read: [\(listed)] }", options: "dir: /srv/in")
    let run = try fetchrun("run")
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        "asks to read the path in its option dir, which `allow` does not permit for the job"),
      "\(run)")
    #expect(try fetchrun("grant", "probe", "--yes").status == 1)
    #expect(try !fetchrun("permissions", "probe").output.contains("read /srv/in"))
    // Without the option, the plugin requests no permission.
    try configure(allow: "{ read: [\(listed)] }")
    #expect(try fetchrun("run").status == 0)
    try configure(allow: "{ read: [/srv] }", options: "dir: /srv/in")
    #expect(try fetchrun("run").status == 0)
  }

  // MARK: Hook files

  private static let source = """
    return {
      api = 1, name = "probe", version = "1.0.0", fetch = function() return { { id = "1" } } end,
    }
    """

  @Test func `a hook file has only the permissions of its own allow`() throws {
    defer { program.remove() }
    let room = try ScriptedServer { _, connection in connection.answer(200) }
    defer { room.stop() }
    try program.write("probe.lua", Self.source)
    func write(_ hosts: String) throws {
      try program.write(
        "room.lua",
        """
        return {
          permissions = { http = { "127.0.0.1:*"\(hosts) } },
          on_no_data = function() assert(require("http").post("\(room.url)/", { json = {} })) end,
        }
        """)
    }
    func configure(_ allow: String) throws {
      try self.configure(
        allow: "{}", hooks: "hooks: [{ name: room, lua: { file: ./room.lua, allow: \(allow) } }]")
    }
    try write(", \"evil.example\"")
    try configure("{ hosts: [\"127.0.0.1:*\"], private: [127.0.0.0/8] }")
    #expect(try fetchrun("run").status == 0)
    let held = try fetchrun("run")
    let reason =
      "\(program.folder.path)/./room.lua asks to reach evil.example, which `allow` does not permit"
      + " for the "
      + "hook 'room'; the file has not run: add this to `allow` of the hook in the config if you "
      + "trust the file"
    #expect(held.status == 0)
    #expect(
      held.messages.contains("hook 'room': deliveries wait: \(reason)\n"), "\(held.messages)")
    let grant = try fetchrun("grant", "--hook", "room", "--yes")
    #expect(grant.status == 1 && grant.messages == "fetchrun: \(reason)\n")
    #expect(room.requests.isEmpty)

    try write("")
    let said = try fetchrun("permissions", "--hook", "room")
    #expect(
      Array(said.lines.dropFirst()) == [
        "It may", "  reach 127.0.0.1:* (by the config)",
        "  reach the private addresses of 127.0.0.0/8 (by the config)",
      ], "\(said)")
    #expect(try fetchrun("deliveries", "retry", "1").status == 0)
    let told = try fetchrun("run")
    #expect(told.status == 0 && !told.messages.contains("wait"), "\(told.messages)")
    #expect(room.requests.count == 2)

    try configure("{ hosts: [\"127.0.0.1:*\"], private: [127.0.0.2] }")
    let elsewhere = try fetchrun("run")
    #expect(elsewhere.messages.contains("127.0.0.1 is a loopback address; "), "\(elsewhere)")
    #expect(room.requests.count == 2)
  }
}
