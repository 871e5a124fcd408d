import FetchTestSupport
import Foundation
import Testing

/// Tests of the commands that the program suggests. Suggested commands are run in another folder,
/// with `--yes` added.
@Suite(.timeLimit(.minutes(5))) struct SuggestedCommandTests {
  let program: Program
  /// The path of the folder, whose name must be quoted in a shell.
  private let folder: String

  init() throws {
    program = try Program()
    folder = program.folder.path + "/it's mine"
    try write(config: "jobs.yaml", job: "news", hosts: [])
  }

  /// Writes a config with a job and a hook whose files request these permissions.
  private func write(config: String, job: String, hosts: [String], store: String? = "store.sqlite")
    throws
  {
    let asked = "permissions = { http = { \(hosts.map { "\"\($0)\"" }.joined(separator: ", ")) } }"
    try program.write(
      "it's mine/" + config,
      """
      \(store.map { "store: \($0)" } ?? "")
      jobs:
        - { name: \(job), plugin: ./probe.lua, interval: 1h }
      hooks: [{ name: desk, lua: { file: ./desk.lua } }]
      """)
    try program.write(
      "it's mine/probe.lua",
      """
      return { api = 1, name = "probe", version = "1.0.0", \(asked), fetch = function() end }
      """)
    try program.write("it's mine/desk.lua", "return { \(asked), on_no_data = function() end }")
  }

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    let launcher = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder]
    return try program.start(words, launcher: launcher).wait()
  }

  /// Types the command and confirms it.
  private func type(_ line: Substring) throws -> Program.Ending {
    let bin = Program.executable.deletingLastPathComponent().path
    return try program.start(
      [], environment: ["PATH": bin + ":/usr/bin:/bin"],
      launcher: ["/bin/sh", "-c", "cd / && \(line) --yes"]
    ).wait()
  }

  @Test func `a changed file is approved by the suggested command`() throws {
    defer { program.remove() }
    #expect(try fetchrun("run", "--config", "jobs.yaml").status == 0)
    try write(config: "jobs.yaml", job: "news", hosts: ["evil.example"])
    // The usual places have another config.
    try program.write(".config/fetchrun/fetchrun.yaml", "jobs: []")
    let held = try fetchrun("run", "--config", "jobs.yaml")
    #expect(held.status == 1, "\(held)")
    let quoted = #"'\#(program.folder.path)/it'\''s mine/jobs.yaml'"#
    let ending = "fetchrun grant news --config \(quoted)"
    #expect(held.output.contains("fetchrun diff-permissions news --config \(quoted)`, and allow"))
    #expect(held.output.contains("allow it with `\(ending)`  ("), "\(held)")
    for verb in ["explain", "permissions"] {
      let said = try fetchrun(verb, "news", "--config", "jobs.yaml")
      #expect(said.output.contains("allow it with `\(ending)`.\n"), "\(verb): \(said)")
    }
    let granted = try type(ending[...])
    #expect(granted.status == 0, "\(granted)")
    let freed = try fetchrun("run", "--config", "jobs.yaml")
    #expect(freed.status == 0, "\(freed)")
    // The hook was held during all runs.
    let hook = "fetchrun grant --hook desk --config \(quoted)"
    #expect((freed.output + freed.messages).contains(hook), "\(freed)")
    #expect(try type(hook[...]).status == 0)
    let told = try fetchrun("run", "--config", "jobs.yaml")
    #expect(told.status == 0 && !(told.output + told.messages).contains("grant"), "\(told)")
  }

  @Test func `a changed file is approved in a separate store by the suggested command`() throws {
    defer { program.remove() }
    try write(config: "fetchrun.yaml", job: "news", hosts: [], store: nil)
    #expect(try fetchrun("run", "--store", "mine.sqlite").status == 0)
    try write(config: "fetchrun.yaml", job: "news", hosts: ["evil.example"], store: nil)
    let held = try fetchrun("run", "--store", "mine.sqlite")
    #expect(held.status == 1)
    let quoted = #"'\#(program.folder.path)/it'\''s mine/mine.sqlite'"#
    #expect(
      held.output.contains("allow it with `fetchrun grant news --store \(quoted)`  ("), "\(held)")
  }

  @Test func `a daemon names its config in suggestions, wherever the daemon was started`() throws {
    defer { program.remove() }
    try write(config: "fetchrun.yaml", job: "news", hosts: [])
    let daemon = try Watched(
      program, ["serve"], launcher: ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder])
    defer { daemon.signal(SIGKILL) }
    #expect(daemon.wait(for: .output) { $0.contains { $0.hasPrefix("noData  news") } })
    try write(config: "fetchrun.yaml", job: "news", hosts: ["evil.example"])
    daemon.signal(SIGHUP)
    #expect(daemon.wait(forMessage: "config reloaded"))
    let held = try fetchrun("run", "news")
    #expect(held.status == 1)
    let quoted = #"'\#(program.folder.path)/it'\''s mine/fetchrun.yaml'"#
    let line = "fetchrun grant news --config \(quoted)"
    #expect(held.output.contains("allow it with `\(line)`  ("), "\(held)")
    let explained = try fetchrun("explain", "news")
    #expect(explained.output.contains("allow it with `\(line)`.\n"), "\(explained)")
    let granted = try type(line[...])
    #expect(granted.status == 0 && granted.output == "news: granted; it runs now\n", "\(granted)")
    daemon.signal(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
