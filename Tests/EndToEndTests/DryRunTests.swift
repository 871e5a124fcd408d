import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `--dry-run`, which shows the result of a run and stores nothing.
@Suite(.timeLimit(.minutes(5))) struct DryRunTests {
  private let program: Program
  private let site: Hostnames

  init() throws {
    program = try Program()
    site = try Hostnames()
  }

  private func end() {
    site.stop()
    program.remove()
  }

  private var config: String { program.folder.path + "/fetchrun.yaml" }

  private func store() throws -> [String] {
    try ["items", "runs"].map { try program.run($0, "--json").output }
  }

  @Test func `nothing is stored, and no store is created`() throws {
    defer { end() }
    let arguments = [
      "--plugin", "rss", "--option", "url=\(site.url("h1", "/feed"))", "--allow-private", "--job",
      "news",
    ]
    let dry = try program.start(arguments + ["--dry-run"]).wait()
    #expect(dry.status == 0)
    #expect(dry.output.hasPrefix("newData  news  2 added, 0 updated, 0 removed  (1 request"))
    #expect(dry.lines.count == 3)
    #expect(dry.messages.hasSuffix("fetchrun: dry run: nothing was stored\n"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/fetchrun"))

    #expect(try program.start(arguments).wait().output.hasPrefix("newData  news  2 added"))
    let before = try store()
    let json = try program.start(arguments + ["--dry-run", "--json"]).wait()
    #expect(json.lines.count == 1 && json.output.contains("\"reason\":\"sameBody\""))
    #expect(try store() == before)
    // Each of the three runs makes the request.
    #expect(site.visits.count == 3)
    let told = try program.start(arguments + ["--dry-run", "--on-new", "cat"]).wait()
    #expect(told.status == 64)
  }

  @Test func `a dry run compares with stored items, and works beside a daemon`() throws {
    try program.write(
      "list.lua",
      """
      return {
        api = 1, name = "list", version = "1", options = { titles = { type = "list" } },
        items = { complete = true },
        fetch = function(ctx)
          ctx.state.count = (ctx.state.count or 0) + 1
          for i, title in ipairs(ctx.options.titles) do ctx:emit { id = "i" .. i, title = title } end
          ctx:emit { id = "count", title = "run " .. ctx.state.count }
        end,
      }
      """)
    func write(_ titles: String) throws {
      try program.write(
        "fetchrun.yaml",
        """
        hooks:
          - {name: log, command: {run: 'echo told >> \(program.folder.path)/told', shell: true}}
        jobs:
          - {name: list, plugin: ./list.lua, interval: never, options: {titles: [\(titles)]}}

        """)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: config)
    }
    try write("a, b")
    #expect(try program.run("run", "--config", config).status == 0)
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving "))
    let before = try store()
    try write("a, changed, new")
    for _ in 1...2 {
      let dry = try program.run("run", "list", "--dry-run", "--config", config)
      #expect(dry.status == 0)
      #expect(dry.output.hasPrefix("newData  list  1 added, 2 updated, 0 removed  ("))
      #expect(dry.output.contains("  + ") && dry.output.contains("run 2"))
      #expect(dry.messages == "fetchrun: dry run: nothing was stored\n")
    }
    try write("a")
    let gone = try program.run("run", "--dry-run", "--config", config, "--json")
    #expect(gone.output.contains("\"change\":\"removed\""))
    #expect(gone.lines.allSatisfy { $0.hasPrefix("{\"run\"") || $0.hasPrefix("{\"sequence\":0,") })
    #expect(try store() == before)
    let told = try String(contentsOfFile: program.folder.path + "/told", encoding: .utf8)
    #expect(told == "told\n")
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    end()
  }

  @Test func `files are read and not changed, and downloads are not made`() throws {
    defer { end() }
    let source = program.folder.path + "/source"
    try program.write("source/a", "1")
    try program.write("source/b", "2")
    let mirror = program.folder.path + "/mirror"
    let arguments = [
      "--plugin", "file-sync", "--option", "source=file://\(source)", "--allow-read", source,
      "--files-root", mirror, "--job", "photos", "--option", "delete=true",
    ]
    let first = try program.start(arguments + ["--dry-run"]).wait()
    #expect(first.status == 0)
    #expect(
      first.output.hasPrefix(
        "newData  photos  2 added, 0 updated, 0 removed; would queue 2 downloads  ("), "\(first)")
    #expect(!FileManager.default.fileExists(atPath: mirror))
    #expect(try program.start(arguments).wait().status == 0)
    try program.write("mirror/stray", "mine")
    let second = try program.start(arguments + ["--dry-run"]).wait()
    #expect(second.output.contains("would make 1 file change"), "\(second)")
    #expect(FileManager.default.fileExists(atPath: mirror + "/stray"))
  }
}
