import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the module `files`, from the command line to the disk.
@Suite struct FilesTests {
  /// A plugin that uses the functions of the module and reports the results as items.
  private static let plugin = """
    local files, json, hash = require "files", require "json", require "hash"

    return {
      api = 1, name = "keeper", version = "1.0.0",
      options = { source = { description = "a folder to copy" } },
      fetch = function(ctx)
        local items = {}
        local function say(id, title) items[#items + 1] = { id = id, title = tostring(title) } end
        if ctx.state.digest == files.digest() then return {} end
        say("empty", #files.list())
        assert(files.write("notes/2026 ä%.txt", "one\\0two"))
        say("read", files.read("notes/2026 ä%.txt") == "one\\0two")
        say("sha256", files.sha256("notes/2026 ä%.txt") == hash.sha256("one\\0two"))
        local sums = files.sha256({ "none", "notes/2026 ä%.txt", "../x" })
        say("sums", json.encode({ sums[1], sums[2] == hash.sha256("one\\0two"), sums[3] }))
        local entry = files.stat("notes/2026 ä%.txt")
        say("stat", entry.kind .. " " .. entry.size .. " " .. #entry.modified)
        say("absent", json.encode({ files.stat("none") == nil, files.remove("none") }))
        assert(files.move("notes/2026 ä%.txt", "old/a/b"))
        assert(files.remove("notes"))
        local names = {}
        for i, entry in ipairs(files.list({ recursive = true })) do
          names[i] = entry.path .. ":" .. entry.kind
        end
        say("list", table.concat(names, " "))
        say("inner", files.list("old/a")[1].path)
        local nothing, problem = files.read("old/../../store.sqlite")
        say("refused", problem)
        if ctx.options.source then
          local source = assert(files.folder(ctx.options.source))
          for _, entry in ipairs(source:list({ recursive = true })) do
            if entry.kind == "file" then
              assert(source:stat(entry.path).size == entry.size)
              assert(files.write("copy/" .. entry.path, source:read(entry.path)))
              say(entry.path, files.sha256("copy/" .. entry.path) == source:sha256(entry.path))
            end
          end
          say("digest", #source:digest())
        end
        ctx.state.digest = files.digest()
        return items
      end,
    }
    """

  private func titles(_ lines: [String]) throws -> [String: String] {
    var titles: [String: String] = [:]
    for line in lines {
      let value = try JSONReader.decode(line)
      if let id = value["id"]?.stringValue { titles[id] = value["title"]?.stringValue }
    }
    return titles
  }

  private func mode(_ path: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: path)
    return (facts[.posixPermissions] as? Int) ?? 0
  }

  @Test func `a plugin keeps files in its own folder`() throws {
    let program = try Program()
    defer { program.remove() }
    let plugin = try program.write("keeper.lua", Self.plugin)
    try program.write("source/in/one.txt", "1")
    try program.write("source/two.txt", "22")
    let source = program.folder.appending(path: "source").path
    let once = [
      "--plugin", plugin, "--option", "source=\(source)", "--allow-read", source, "--json",
    ]
    let first = try program.start(once).wait()
    let root = program.folder.appending(path: "fetchrun/files/keeper").path
    #expect(
      first.messages
        == "fetchrun: keeper may read \(source); may keep up to 10.0 GB in up to 100000 files "
        + "and folders in \(root)\n"
    )
    #expect(
      try titles(first.lines) == [
        "empty": "0", "read": "true", "sha256": "true", "sums": "[false,true,false]",
        "stat": "file 7 24", "absent": "[true,false]",
        "list": "old:folder old/a:folder old/a/b:file", "inner": "old/a/b",
        "refused": "'old/../../store.sqlite' is not a path in the folder: the path has . or .. as "
          + "a name; write only the names of folders and files",
        "in/one.txt": "true", "two.txt": "true", "digest": "64",
      ])
    #expect(try mode(root) == 0o700)
    #expect(try String(contentsOfFile: root + "/copy/in/one.txt", encoding: .utf8) == "1")
    #expect(try String(contentsOfFile: root + "/old/a/b", encoding: .utf8) == "one\0two")
    let second = try program.start(once).wait()
    #expect(second.output.contains("\"outcome\":\"noData\""))
  }

  @Test func `a folder may be chosen, and no message is shown for a plugin without files`() throws {
    let program = try Program()
    defer { program.remove() }
    let plugin = try program.write("keeper.lua", Self.plugin)
    let root = program.folder.appending(path: "a/b").path
    let run = try program.run("--plugin", plugin, "--files-root", root)
    #expect(run.status == 0)
    #expect(
      run.messages
        == "fetchrun: keeper may keep up to 10.0 GB in up to 100000 files and folders in \(root)\n")
    #expect(try mode(root) == 0o700)
    #expect(
      try String(contentsOfFile: root + "/old/a/b", encoding: .utf8) == "one\0two")
    let other = try program.write(
      "other.lua",
      "return { api = 1, name = 'other', version = '1', fetch = function() return {} end }")
    let quiet = try program.run("--plugin", other)
    #expect(quiet.messages == "fetchrun: other has no permissions\n")
    #expect(
      !FileManager.default.fileExists(
        atPath: program.folder.appending(path: "fetchrun/files").path))
  }

  @Test func `a job's config sets folder and quota, and a full folder fails its run`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("keeper.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      jobs:
        - { name: a/b, plugin: ./keeper.lua, interval: never }
        - { name: full, plugin: ./keeper.lua, interval: never, files: { root: here, bytes: 6B } }
      """)
    let run = try program.run("run", "--config", config, "--json")
    #expect(run.status == 1)
    let ends = try run.lines.map { try JSONReader.decode($0) }
    let outcomes = Dictionary(
      uniqueKeysWithValues: ends.map { ($0["job"]?.stringValue, $0["failure"] ?? .null) })
    #expect(outcomes["a/b"] == .null)
    #expect(outcomes["full"]?["code"] == "fileQuota")
    #expect(
      outcomes["full"]?["message"]?.stringValue
        == "cannot write the file notes/2026 ä%.txt: the folder may hold at most 6 bytes"
        + " (`files.bytes`); remove files or raise the quota")
    let folder = program.folder.path
    #expect(try mode(folder + "/files/a%2fb") == 0o700)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder + "/here")
        == [".fetchrun-partial"])
  }
}
