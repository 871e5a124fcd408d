import FetchValues
import Foundation
import Testing

/// Tests of plugin files that do not load. Only the jobs of these files fail.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnloadedPluginTests {
  let program: Program
  private let config: String

  init() throws {
    program = try Program()
    config = program.folder.path + "/fetchrun.yaml"
  }

  private func write(_ names: [String], interval: String = "1h") throws {
    let jobs = names.map { "  - {name: \($0), plugin: \($0), interval: \(interval)}\n" }
    try program.write("fetchrun.yaml", "plugins: [.]\nstore: store.sqlite\njobs:\n" + jobs.joined())
  }

  private static func plugin(_ name: String, _ more: String = "") -> String {
    """
    return {
      api = 1, name = "\(name)", version = "1", \(more)
      fetch = function(ctx) return { { id = ctx.run } } end,
    }

    """
  }

  private static let syntax = "return {\n  api == 1\n}\n"
  private static let loop = "while true do end\n"

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.start(words + ["--config", config]).wait()
  }

  private func serve() throws -> Watched {
    let daemon = try Watched(program, ["serve", "--json", "--config", config])
    #expect(daemon.wait(forMessage: "serving "))
    return daemon
  }

  private func stop(_ daemon: Watched) {
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }

  private static func codes(_ lines: [String]) throws -> [String: String] {
    var codes: [String: String] = [:]
    for line in lines {
      let run = try JSONReader.decode(line)
      codes[run["job"]?.stringValue ?? ""] =
        run["failure"]?["code"]?.stringValue ?? run["outcome"]?.stringValue
    }
    return codes
  }

  @Test func `a daemon runs the other jobs, reports the mistake, and retries changed files`()
    throws
  {
    defer { program.remove() }
    try write(["good", "syntax", "loop", "missing"])
    try program.write("good.lua", Self.plugin("good"))
    try program.write("syntax.lua", Self.syntax)
    try program.write("loop.lua", Self.loop)
    let daemon = try serve()
    defer { daemon.signal(SIGKILL) }
    daemon.wait(for: .output) { $0.count == 4 }
    #expect(
      try Self.codes(daemon.output) == [
        "good": "newData", "syntax": "invalidPlugin", "loop": "invalidPlugin",
        "missing": "invalidPlugin",
      ])
    #expect(daemon.wait(forMessage: "no plugin 'missing'"))
    #expect(daemon.messages.first?.contains("(sandbox: ") == true)
    let entries = try daemon.messages.map { try JSONReader.decode($0) }
    let faults = entries.filter { $0["level"] == "error" }
    #expect(faults.map { $0["job"] } == ["syntax", "loop", "missing"])
    let syntax = try #require(faults.first?["message"]?.stringValue)
    #expect(syntax.hasPrefix("its plugin does not load (invalidPlugin): "), "\(syntax)")
    #expect(syntax.hasSuffix("/syntax.lua:2)"), "\(syntax)")
    #expect(faults.last?["message"]?.stringValue?.contains("no plugin 'missing'") == true)
    let status = try fetchrun("status", "syntax", "--json")
    let line = try JSONReader.decode(try #require(status.lines.first))
    #expect((line["lastOutcome"], line["why"]) == ("failed", .string(syntax)))
    let explained = try fetchrun("explain", "loop")
    #expect(
      explained.output.contains("Its plugin does not load (invalidPlugin): "), "\(explained)")
    #expect(explained.output.contains("a daemon retries when the file changes.\n"))

    // No signal is needed: each file is loaded as soon as it is present and valid.
    for (count, name) in ["syntax", "loop", "missing"].enumerated() {
      try program.write("\(name).lua", Self.plugin(name))
      let loaded = #""job":"\#(name)","message":"its plugin can now be loaded""#
      #expect(daemon.wait(forMessage: loaded))
      daemon.wait(for: .output) { $0.count == 5 + count }
    }
    #expect(Set(try Self.codes(daemon.output).values) == ["newData"])
    #expect(try fetchrun("status", "--json").output.contains("does not load") == false)
    stop(daemon)
  }

  @Test func `a reload with an invalid plugin fails only its job, until its file is fixed`() throws
  {
    defer { program.remove() }
    try write(["good", "bad"])
    try program.write("good.lua", Self.plugin("good"))
    try program.write("bad.lua", Self.plugin("bad"))
    try FileManager.default.createDirectory(
      atPath: program.folder.path + "/lib", withIntermediateDirectories: true)
    let daemon = try serve()
    defer { daemon.signal(SIGKILL) }
    daemon.wait(for: .output) { $0.count == 2 }
    try program.write("bad.lua", "return require('part')\n")
    daemon.signal(SIGHUP)
    #expect(daemon.wait(forMessage: "config reloaded: 2 jobs"))
    daemon.wait(for: .output) { $0.count == 3 }
    #expect(try Self.codes([daemon.output[2]]) == ["bad": "invalidPlugin"])
    // Modules that a plugin requires are also watched. The file appears in one step, so that the
    // daemon never reads an incomplete file.
    try FileManager.default.moveItem(
      atPath: program.write("part.new", Self.plugin("bad")),
      toPath: program.folder.path + "/lib/part.lua")
    #expect(daemon.wait(forMessage: "its plugin can now be loaded"))
    daemon.wait(for: .output) { $0.count == 4 }
    #expect(try Self.codes([daemon.output[3]]) == ["bad": "newData"])
    stop(daemon)
  }

  @Test func `a plugin that was fixed without a daemon runs at the next start`() throws {
    defer { program.remove() }
    try write(["bad"])
    try program.write("bad.lua", Self.syntax)
    let first = try serve()
    first.wait(for: .output) { $0.count == 1 }
    stop(first)
    try program.write("bad.lua", Self.plugin("bad"))
    let second = try serve()
    defer { second.signal(SIGKILL) }
    second.wait(for: .output) { $0.count == 1 }
    #expect(try Self.codes(second.output) == ["bad": "newData"])
    stop(second)
  }

  @Test func `run fails the job and runs the others, and check reports the mistake`() throws {
    defer { program.remove() }
    try write(["good", "bad"])
    try program.write("good.lua", Self.plugin("good"))
    try program.write("bad.lua", Self.syntax)
    let run = try fetchrun("run", "--json")
    #expect(run.status == 1, "\(run)")
    #expect(try Self.codes(run.lines) == ["good": "newData", "bad": "invalidPlugin"])
    let stored = try program.run(
      "runs", "bad", "--json", "--store", program.folder.path + "/store.sqlite")
    #expect(stored.lines.count == 1)
    let check = try program.run("check", config)
    #expect(check.status == 78, "\(check)")
    #expect(check.messages.contains("fetchrun.yaml:5:25: job 'bad': "), "\(check)")
    let status = try fetchrun("status", "bad", "--json")
    #expect(status.output.contains("its plugin does not load (invalidPlugin): "), "\(status)")
    let simulated = try fetchrun("simulate", "--json")
    #expect(simulated.status == 1, "\(simulated)")
    #expect(simulated.messages.contains("bad: its plugin does not load (invalidPlugin)"))
  }

  @Test func `the status has the reason of a missing plugin once, also after a run`() throws {
    defer { program.remove() }
    try write(["missing"])
    #expect(try fetchrun("run").status == 1)
    let status = try fetchrun("status", "missing", "--json")
    let line = try JSONReader.decode(try #require(status.lines.first))
    #expect(line["state"] == "backOff", "\(status)")
    let why = try #require(line["why"]?.stringValue)
    #expect(why.ranges(of: "no plugin 'missing'").count == 1, "\(why)")
  }

  @Test func `the grants stay while the file does not load`() throws {
    defer { program.remove() }
    try write(["asking"])
    let asks = #"permissions = { http = { "a.example" } },"#
    try program.write("asking.lua", Self.plugin("asking", asks))
    #expect(try fetchrun("run").status == 0)
    try program.write("asking.lua", Self.syntax)
    #expect(try fetchrun("run").status == 1)
    try program.write("asking.lua", Self.plugin("asking", asks))
    #expect(try fetchrun("run").status == 0)
    let more = #"permissions = { http = { "a.example", "b.example" } },"#
    try program.write("asking.lua", Self.plugin("asking", more))
    let held = try fetchrun("run", "--json")
    #expect(try Self.codes(held.lines) == ["asking": "permission"])
  }

  @Test func `other mistakes of the config are still reported as mistakes of the config`() throws {
    defer { program.remove() }
    try write(["good", "bad"], interval: "soon")
    try program.write("good.lua", Self.plugin("good"))
    try program.write("bad.lua", Self.syntax)
    let daemon = try fetchrun("serve")
    #expect(daemon.status == 78, "\(daemon)")
  }
}
