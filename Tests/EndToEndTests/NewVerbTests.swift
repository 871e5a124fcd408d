import FetchTestSupport
import Foundation
import Testing

/// Tests of `fetchrun new`, which writes the files for a plugin's author.
@Suite struct NewVerbTests {
  private func start(
    _ program: Program, _ arguments: String...
  ) throws -> Program.Ending {
    try program.start(["new"] + arguments).wait()
  }

  @Test(arguments: ["plugin", "hook"])
  func `a name that ends in .lua is the name of the file`(what: String) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try start(program, what, "mine.lua", "--folder", program.folder.path)
    #expect(ending.lines.first == "wrote  \(program.folder.path)/mine.lua")
  }

  @Test(arguments: ["rss", "json", "files", "page"])
  func `a new plugin has no mistakes and passes its case`(kind: String) throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path + "/mine"
    let ending = try start(program, "plugin", "ships", "--kind", kind, "--folder", folder + "/")
    #expect(ending.status == 0, "\(ending.messages)")
    let plugin = folder + "/ships.lua"
    let written = ending.lines.map { $0.replacing(folder + "/", with: "") }
    let example = FileManager.default.subpaths(atPath: folder + "/ships.test/example") ?? []
    let files = example.filter { $0.contains(".") }
    #expect(files.contains("case.yaml") && files.contains("expected.jsonl"))
    let stubs = try FileManager.default.contentsOfDirectory(atPath: folder + "/.fetchrun/lua")
    #expect(stubs.contains("http.lua"))
    #expect(
      written == [
        "wrote  ships.lua", "wrote  ships.test/example  (\(files.count) files)",
        "wrote  .luarc.json", "wrote  .fetchrun/lua  (\(stubs.count) files)",
      ])
    for line in ending.lines {
      let path = line.dropFirst("wrote  ".count).prefix { $0 != " " }
      #expect(FileManager.default.fileExists(atPath: String(path)), "\(line)")
    }
    #expect(
      ending.messages.hasPrefix(
        "fetchrun: the file to edit is \(plugin); next:\nfetchrun:   fetchrun test \(plugin)\n"))

    let check = try program.run("check", plugin)
    #expect(check.status == 0, "\(check.messages)")
    let test = try program.run("test", plugin)
    #expect(test.status == 0, "\(test.output)")
    #expect(test.output == "passed  ships  example\n")
    // The case has results: two items and the outcome.
    let expected = try String(
      contentsOfFile: folder + "/ships.test/example/expected.jsonl", encoding: .utf8)
    #expect(expected.split(separator: "\n").count == 3)
    #expect(expected.contains("\"outcome\":\"newData\""))
  }

  @Test(arguments: [
    ("rss", "item.summary = nil", "item.summary = \"short\"", "+  summary: short"),
    ("json", "berth = ship.berth", "quay = ship.berth", "-  berth: A1\n  +  quay: A1"),
    ("files", "size = entry.size", "bytes = entry.size", "-  size: 19\n  +  bytes: 19"),
    (
      "page", "title = link:text()", "title = link:text():upper()",
      "-  title: Lighthouse reopens\n  +  title: LIGHTHOUSE REOPENS"
    ),
  ])
  func `a changed result is shown, and can be accepted`(
    kind: String, line: String, changed: String, shown: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    #expect(try start(program, "plugin", "mine", "--kind", kind, "--folder", folder).status == 0)
    let plugin = folder + "/mine.lua"
    let text = try String(contentsOfFile: plugin, encoding: .utf8)
    #expect(text.contains(line))
    try program.write("mine.lua", text.replacing(line, with: changed))
    #expect(try program.run("check", plugin).status == 0)
    let red = try program.run("test", plugin)
    #expect(red.status == 1)
    #expect(red.output.hasPrefix("failed  mine  example\n  --- expected\n  +++ actual\n"))
    #expect(red.output.contains("\n  " + shown + "\n"), "\(red.output)")
    let advice =
      "fetchrun: if the case 'example' still tests the template that `fetchrun new` wrote, and the"
      + " plugin now fetches your source, delete the case's folder, \(folder)/mine.test/example\n"
    #expect(red.messages == advice + "fetchrun: 1 case: 1 failed\n")
    // A case that the author wrote may have the same name.
    let file = "mine.test/example/case.yaml"
    let written = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    try program.write(file, "# Mine.\n" + written)
    #expect(try program.run("test", plugin).messages == "fetchrun: 1 case: 1 failed\n")
    #expect(try program.run("test", plugin, "--update").output == "updated  mine  example\n")
    #expect(try program.run("test", plugin).output == "passed  mine  example\n")
  }

  /// The test takes the steps of a new author. At first, the template does not fit the address.
  @Test func `a plugin is adapted to the answers of its address`() throws {
    let server = try ScriptedServer { _, connection in
      connection.answer(
        200, ["Content-Type: application/json"],
        """
        { "boats": [ { "imo": 1, "name": "Ada", "arrived": "2026-11-20T06:10:00Z" },
                     { "imo": 2, "name": "Eva", "arrived": "2026-11-20T06:20:00Z" } ] }
        """)
    }
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    #expect(try start(program, "plugin", "ships", "--folder", folder).status == 0)
    let plugin = folder + "/ships.lua"
    let recorded = try program.run(
      "record", plugin, "--case", "real", "--option", "url=\(server.url)/", "--allow-private")
    server.stop()
    #expect(recorded.output == "recorded  \(folder)/ships.test/real  failed  (1 request)\n")
    #expect(
      recorded.messages.contains(
        "fetchrun: the answers were recorded, but a run failed: pluginError: ipairs"
          + " got nil instead of a list: response:json() has no field 'ships' (it has boats)"
          + " (ships.lua:26)\n"
          + "fetchrun: warning: the case expects this failure, and passes with it; when the plugin"
          + " handles the answers, type `fetchrun test \(plugin) --case real --update`\n"))
    let text = try String(contentsOfFile: plugin, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[25].contains("ipairs(response:json().ships)"))
    let answers = try FileManager.default.contentsOfDirectory(
      atPath: folder + "/ships.test/real/answers")
    #expect(answers.count == 1)

    try program.write("ships.lua", text.replacing("json().ships", with: "json().boats"))
    let red = try program.run("test", plugin, "--case", "real")
    #expect(red.status == 1)
    #expect(red.output.contains("\n  +  title: Ada\n"), "\(red.output)")
    #expect(try program.run("test", plugin, "--case", "real", "--update").status == 0)
    #expect(try program.run("test", plugin, "--case", "real").status == 0)
  }

  @Test func `no existing file is overwritten`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    try program.write(".luarc.json", "{}")
    try program.write(".fetchrun/lua/json.lua", "mine")
    let first = try start(program, "plugin", "ships", "--folder", folder)
    #expect(first.status == 0)
    #expect(first.lines.contains("kept   \(folder)/.luarc.json"))
    #expect(first.lines.contains("kept   \(folder)/.fetchrun/lua/json.lua"))
    let json = try start(program, "plugin", "other", "--folder", folder, "--json")
    #expect(json.lines.first == #"{"file":"\#(folder)/other.lua","written":true}"#)
    #expect(json.lines.contains(#"{"file":"\#(folder)/.luarc.json","written":false}"#))
    #expect(try String(contentsOfFile: folder + "/.luarc.json", encoding: .utf8) == "{}")

    try program.write("ships.lua", "-- mine")
    let again = try start(program, "plugin", "ships", "--folder", folder)
    #expect(again.status == 64)
    #expect(
      again.messages
        == "fetchrun: \(folder)/ships.lua already exists; use another name or --folder\n")
    #expect(try String(contentsOfFile: folder + "/ships.lua", encoding: .utf8) == "-- mine")
    try FileManager.default.removeItem(atPath: folder + "/ships.lua")
    let tests = try start(program, "plugin", "ships", "--folder", folder)
    #expect(tests.status == 64)
    #expect(
      tests.messages
        == "fetchrun: \(folder)/ships.test already exists; use another name or --folder\n")
    #expect(!FileManager.default.fileExists(atPath: folder + "/ships.lua"))
  }

  @Test(arguments: ["Ships", "../ships", "", ".ships", "a b", "-a"])
  func `an invalid name for a plugin is refused`(name: String) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try start(program, "plugin", "--folder", program.folder.path, "--", name)
    #expect(ending.status == 64)
    #expect(
      ending.messages.contains(
        "invalid name '\(name)' for a plugin: use up to 64 lower-case ASCII letters, digits, '-', "
          + "'_' and '.', and do not begin with '-' or '.'"))
  }

  @Test func `a new hook file has no mistakes, posts new items, and is not overwritten`() throws {
    let server = try ScriptedServer { _, connection in connection.answer(204) }
    defer { server.stop() }
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    let ending = try start(program, "hook", "chat", "--folder", folder + "/")
    let hook = folder + "/chat.lua"
    #expect(ending.status == 0 && ending.lines.first == "wrote  \(hook)", "\(ending)")
    let stubs = try FileManager.default.contentsOfDirectory(atPath: folder + "/.fetchrun/lua")
    #expect(
      ending.lines.dropFirst() == [
        "wrote  \(folder)/.luarc.json", "wrote  \(folder)/.fetchrun/lua  (\(stubs.count) files)",
      ])
    #expect(
      ending.messages.hasPrefix(
        "fetchrun: the file to edit is \(hook); next:\nfetchrun:   fetchrun check \(hook)\n"))
    let check = try program.run("check", hook)
    #expect(check.status == 0 && check.messages == "", "\(check)")

    try program.write(
      "one.lua",
      """
      return {
        api = 1, name = "one", version = "1.0.0",
        fetch = function() return { { id = "1", title = "Ada arrives" } } end,
      }
      """)
    let run = try program.start([
      "--plugin", folder + "/one.lua", "--hook", hook, "--hook-option", "url=\(server.url)/in",
      "--allow-private", "--store", folder + "/store.sqlite",
    ]).wait()
    #expect(run.status == 0, "\(run.messages)")
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies == [#"{"text":"added Ada arrives"}"#])

    let again = try start(program, "hook", "chat", "--folder", folder)
    #expect(again.status == 64)
    #expect(
      again.messages == "fetchrun: \(hook) already exists; use another name or --folder\n")
    #expect(
      try start(program, "hook", "Chat").messages.contains(
        "invalid name 'Chat' for a hook: use up to 64 lower-case ASCII letters, digits, '-', '_' "
          + "and '.', and do not begin with '-' or '.'"))
  }

  @Test func `new overwrites only stubs that fetchrun wrote`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    try program.write(".fetchrun/lua/http.lua", "---@meta http\n-- of an older fetchrun")
    let first = try start(program, "stubs", "--folder", folder)
    #expect(first.status == 0)
    let stubs = try FileManager.default.contentsOfDirectory(atPath: folder + "/.fetchrun/lua")
    #expect(first.lines == ["wrote  \(folder)/.fetchrun/lua  (\(stubs.count) files)"])
    let http = try String(contentsOfFile: folder + "/.fetchrun/lua/http.lua", encoding: .utf8)
    #expect(http.contains("function http.get(url, options) end"))
    try program.write(".fetchrun/lua/url.lua", "-- mine")
    let other = try start(program, "stubs", "--folder", folder)
    #expect(other.status == 1)
    #expect(
      other.messages
        == "fetchrun: \(folder)/.fetchrun/lua/url.lua: is not recognized as a stub of fetchrun; "
        + "move it elsewhere\n")
  }
}
