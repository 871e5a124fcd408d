import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `fetchrun record` of failing runs, and repeated recordings of one case.
@Suite struct RecordAgainTests {
  private let program: Program
  private let server: ScriptedServer
  private let plugin: String

  init() throws {
    program = try Program()
    server = try ScriptedServer { request, connection in
      if request.path == "/gone" { return connection.answer(404, [], "gone") }
      connection.answer(200, [], "{\"books\": [{\"id\": 1, \"title\": \"one\"}]}")
    }
    plugin = program.folder.path + "/books.lua"
    try write(list: "bookz")
  }

  private func write(list: String) throws {
    try program.write(
      "books.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "books", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx)
          local response, problem = http.get(ctx.options.url)
          if not response then return nil, problem end
          if not response.ok then return {} end
          local list = response:json().\(list)
          if not list then return nil, "there is no list '\(list)'" end
          return list
        end,
      }
      """)
  }

  private func record(_ path: String, _ arguments: String...) throws -> Program.Ending {
    try program.start(
      ["record", plugin, "--case", "real", "--option", "url=\(server.url)\(path)"] + arguments
    ).wait()
  }

  private func end() {
    server.stop()
    program.remove()
  }

  private var folder: String { program.folder.path + "/books.test/real" }

  @Test func `without a successful answer, nothing is written, and a message gives the reason`()
    throws
  {
    defer { end() }
    let refused = try record("/")
    #expect(refused.status == 1)
    #expect(refused.output == "")
    #expect(
      refused.messages.contains(
        /fetchrun: nothing was recorded: permission: .*; to record anyway, add --force\n$/),
      "\(refused.messages)")
    // The output about a refused run does not mention its permissions.
    #expect(!refused.messages.contains("may reach"))
    try program.write(
      "careless.lua",
      """
      return {
        api = 1, name = "careless", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx) require("http").get(ctx.options.url) end,
      }
      """)
    let careless = try program.run(
      "record", program.folder.path + "/careless.lua", "--case", "real", "--option",
      "url=\(server.url)/")
    #expect(careless.status == 1)
    #expect(
      careless.messages.hasSuffix(
        "fetchrun: nothing was recorded: no request was sent, and no items were found; to record"
          + " anyway, add --force\n"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/careless.test"))
    let gone = try record("/gone", "--allow-private")
    #expect(gone.status == 1)
    #expect(
      gone.messages.hasSuffix(
        "fetchrun: nothing was recorded: GET \(server.url)/gone answered 404; to record"
          + " anyway, add --force\n"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/books.test"))
    let forced = try record("/gone", "--allow-private", "--force")
    #expect(forced.status == 0)
    #expect(try program.run("test", plugin).output == "passed  books  real\n")
  }

  @Test func `a loop over an object causes a warning when it is recorded, tested and run`() throws {
    defer { end() }
    try program.write(
      "books.lua",
      """
      local http = require "http"
      return {
        api = 1, name = "books", version = "1", options = { url = { type = "url" } },
        permissions = { http = { "{options.url}" } },
        fetch = function(ctx)
          local response = assert(http.get(ctx.options.url))
          local items = {}
          for _, book in ipairs(response:json()) do items[#items + 1] = book end
          return items
        end,
      }
      """)
    let warning =
      "warning: books.lua:8: ipairs found no list entries in a table with the field books: name the"
      + " list in it, or use pairs\n"
    let recorded = try record("/", "--allow-private")
    #expect(recorded.messages.contains("fetchrun: " + warning), "\(recorded.messages)")
    let test = try program.run("test", plugin)
    #expect(test.output == "passed  books  real\n  " + warning)
    #expect(
      try program.run("test", plugin, "--json").output.contains(
        "\"warnings\":[\"books.lua:8: ipairs found"))
    let run = try program.run(
      "--plugin", plugin, "--option", "url=\(server.url)/", "--allow-private")
    #expect(run.messages.contains("books-127.0.0.1: " + warning), "\(run.messages)")
  }

  @Test func `a plugin that fails on valid answers is recorded, with a message each time`()
    throws
  {
    defer { end() }
    let first = try record("/", "--allow-private")
    #expect(first.status == 0)
    #expect(
      first.messages.contains(
        "fetchrun: the answers were recorded, but a run failed: pluginFailed: there"
          + " is no list 'bookz'\nfetchrun: warning: the case expects this failure, and"
          + " passes with it; when the plugin handles the answers, type `fetchrun test \(plugin)"
          + " --case real --update`\n"), "\(first.messages)")
    #expect(
      first.messages.hasPrefix("fetchrun: books-127.0.0.1 may reach 127.0.0.1"), "\(first.messages)"
    )
    let test = try program.run("test", plugin)
    #expect(test.status == 0)
    #expect(
      test.output == "passed  books  real  (expects: failed, there is no list 'bookz')\n")
    #expect(
      try program.run("test", plugin, "--json").output.hasSuffix(
        "\"expects\":\"there is no list 'bookz'\"}\n"))

    // Without `--force`, a recording replaces the case only while the case expects a failure.
    try write(list: "books")
    #expect(try record("/", "--allow-private").status == 0)
    #expect(try program.run("test", plugin).output == "passed  books  real\n")
    let third = try record("/", "--allow-private")
    #expect(third.status == 64)
    #expect(
      third.messages
        == "fetchrun: the case \(folder) already exists: add --force to record it again, or use"
        + " another --case\n")
    try program.write("books.test/real/notes.txt", "mine")
    #expect(try record("/", "--allow-private", "--force").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["case.yaml", "expected.jsonl", "notes.txt"])
    #expect(try program.run("test", plugin).output == "passed  books  real\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/books.test")
        == ["real"])
  }

  @Test(arguments: ["notes.txt", "files/seen.txt"])
  func `other files beside a failing case are not overwritten`(path: String) throws {
    defer { end() }
    #expect(try record("/", "--allow-private").status == 0)
    try program.write("books.test/real/" + path, "mine")
    #expect(try record("/", "--allow-private").status == 64)
    #expect(try String(contentsOfFile: folder + "/" + path, encoding: .utf8) == "mine")
  }
}
