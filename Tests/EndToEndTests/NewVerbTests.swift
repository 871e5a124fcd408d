import Foundation
import Testing

/// `fetchrun new`: what a plugin's author begins with.
@Suite struct NewVerbTests {
  private func start(
    _ program: Program, _ arguments: String...
  ) throws -> Program.Ending {
    try program.start(["new"] + arguments).wait()
  }

  @Test(arguments: ["rss", "json", "files", "page"])
  func `a new plugin is fine and passes its case`(kind: String) throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path + "/mine"
    let ending = try start(program, "plugin", "ships", "--kind", kind, "--folder", folder + "/")
    #expect(ending.status == 0, "\(ending.messages)")
    let plugin = folder + "/ships.lua"
    let written = ending.lines.map { $0.replacing(folder + "/", with: "") }
    #expect(written.first == "wrote  ships.lua")
    for file in ["case.yaml", "expected.jsonl"] {
      #expect(written.contains("wrote  ships.test/example/\(file)"))
    }
    let inputs = kind == "files" ? "notes" : "answers"
    #expect(written.contains { $0.hasPrefix("wrote  ships.test/example/\(inputs)/") })
    #expect(written.contains("wrote  .luarc.json"))
    #expect(written.contains("wrote  .fetchrun/lua/http.lua"))
    for line in ending.lines {
      let path = String(line.dropFirst("wrote  ".count))
      #expect(FileManager.default.fileExists(atPath: path), "\(line)")
    }
    #expect(ending.messages.hasPrefix("fetchrun: next:\nfetchrun:   fetchrun test \(plugin)\n"))

    let check = try program.run("check", plugin)
    #expect(check.status == 0, "\(check.messages)")
    let test = try program.run("test", plugin)
    #expect(test.status == 0, "\(test.output)")
    #expect(test.output == "passed  ships  example\n")
    // There is something in it: two items and the outcome.
    let expected = try String(
      contentsOfFile: folder + "/ships.test/example/expected.jsonl", encoding: .utf8)
    #expect(expected.split(separator: "\n").count == 3)
    #expect(expected.contains("\"outcome\":\"newData\""))
  }

  @Test func `nothing is overwritten`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    try program.write(".luarc.json", "{}")
    try program.write(".fetchrun/lua/json.lua", "mine")
    let first = try start(program, "plugin", "ships", "--folder", folder)
    #expect(first.status == 0)
    #expect(first.lines.contains("kept   \(folder)/.luarc.json"))
    #expect(first.lines.contains("kept   \(folder)/.fetchrun/lua/json.lua"))
    #expect(try String(contentsOfFile: folder + "/.luarc.json", encoding: .utf8) == "{}")

    try program.write("ships.lua", "-- mine")
    let again = try start(program, "plugin", "ships", "--folder", folder)
    #expect(again.status == 64)
    #expect(
      again.messages
        == "fetchrun: \(folder)/ships.lua is there already; take another name or --folder\n")
    #expect(try String(contentsOfFile: folder + "/ships.lua", encoding: .utf8) == "-- mine")
    try FileManager.default.removeItem(atPath: folder + "/ships.lua")
    let tests = try start(program, "plugin", "ships", "--folder", folder)
    #expect(tests.status == 64)
    #expect(
      tests.messages
        == "fetchrun: \(folder)/ships.test is there already; take another name or --folder\n")
    #expect(!FileManager.default.fileExists(atPath: folder + "/ships.lua"))
  }

  @Test(arguments: ["Ships", "../ships", "", ".ships", "a b", "-a"])
  func `a name that no plugin may have is refused`(name: String) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try start(program, "plugin", "--folder", program.folder.path, "--", name)
    #expect(ending.status == 64)
    #expect(
      ending.messages.contains(
        "a plugin's name has lower-case letters, digits and - _ . in it, not '\(name)'"))
  }

  @Test func `stubs are written anew, but only over those of ours`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    try program.write(".fetchrun/lua/http.lua", "---@meta http\n-- of an older fetchrun")
    let first = try start(program, "stubs", "--folder", folder)
    #expect(first.status == 0)
    #expect(first.lines.contains("wrote  \(folder)/.fetchrun/lua/http.lua"))
    let http = try String(contentsOfFile: folder + "/.fetchrun/lua/http.lua", encoding: .utf8)
    #expect(http.contains("function http.get(url, options) end"))
    try program.write(".fetchrun/lua/url.lua", "-- mine")
    let other = try start(program, "stubs", "--folder", folder)
    #expect(other.status == 1)
    #expect(
      other.messages
        == "fetchrun: \(folder)/.fetchrun/lua/url.lua: is not one of fetchrun's; move it away\n")
  }
}
