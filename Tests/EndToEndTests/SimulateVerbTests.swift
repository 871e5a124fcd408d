import Foundation
import Testing

/// Tests of `fetchrun simulate` with a config, as typed by a user.
@Suite struct SimulateVerbTests {
  private static let config = """
    budget: { requests: [60/h] }
    jobs:
      - { name: news, plugin: rss, interval: 6h, options: { url: "https://a.example/news.xml" } }
      - { name: daily, plugin: rss, interval: "0 7 * * *", zone: UTC, options: { url: "https://b.example/" } }
      - { name: off, plugin: rss, interval: 1h, enabled: false, options: { url: "https://c.example/" } }

    """

  private func simulate(_ program: Program, _ arguments: String...) throws -> Program.Ending {
    let path = try program.write("fetchrun.yaml", Self.config)
    return try program.start(
      ["simulate", "--config", path, "--from", "2026-11-20"] + arguments, environment: ["TZ": "UTC"]
    ).wait()
  }

  @Test func `a simulated day has a timetable and a summary, and writes nothing`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try simulate(program)
    #expect(ending.status == 0)
    #expect(
      ending.lines.map { $0.prefix(36).description } == [
        "2026-11-20T00:00:00Z  news   newData",
        "2026-11-20T06:00:00Z  news   newData",
        "2026-11-20T07:00:00Z  daily  newData",
        "2026-11-20T12:00:00Z  news   newData",
        "2026-11-20T18:00:00Z  news   newData",
      ])
    #expect(ending.lines[2].hasSuffix("  by its cron line, next 2026-11-21T07:00:00Z"))
    #expect(ending.messages.hasPrefix("2 jobs, 5 runs ("))
    #expect(
      ending.messages.contains(
        "\nbudget: requests: 3 available (at most 3), 60 an hour, 0 % used\n"))
    #expect(ending.messages.hasSuffix("\nlongest wait: none\n"))
    let again = try simulate(program)
    #expect(again.output == ending.output)
    #expect(again.messages == ending.messages)
    let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.path)
    #expect(left == ["fetchrun.yaml"])
  }

  @Test func `failures and an outage are simulated, with output as JSON`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try simulate(
      program, "news", "--json", "--fail", "news=429:3600@6h+1m", "--offline", "11h+2h")
    #expect(ending.status == 0)
    let runs = try ending.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(runs.allSatisfy { $0["job"] as? String == "news" })
    #expect(
      runs.map { $0["startedAt"] as? String } == [
        "2026-11-20T00:00:00.000Z", "2026-11-20T06:00:00.000Z", "2026-11-20T07:00:01.000Z",
        "2026-11-20T13:00:01.000Z", "2026-11-20T19:00:01.000Z",
      ])
    #expect(runs[1]["failure"] as? String == "HTTP 429")
    #expect(
      runs[2]["why"] as? String
        == "because of Retry-After or a postponed request")
  }

  @Test func `a disabled job runs if it is named`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try simulate(program, "off")
    #expect(ending.lines.count == 24)
  }

  @Test func `errors of a simulation are reported`() throws {
    let program = try Program()
    defer { program.remove() }
    func messages(_ arguments: String...) throws -> String {
      let path = try program.write("fetchrun.yaml", Self.config)
      let ending = try program.start(["simulate", "--config", path] + arguments).wait()
      #expect(ending.status != 0)
      #expect(ending.output == "")
      return ending.messages
    }
    #expect(
      try messages("--fail", "new=429") == "fetchrun: --fail: no job 'new' (did you mean 'news'?)\n"
    )
    #expect(try messages("--fail", "news=200").contains("'200' is not an HTTP error status"))
    #expect(try messages("--offline", "long").contains("--offline: 'long' is not a duration"))
    #expect(try messages("--from", "monday").contains("--from: invalid time 'monday'"))
    #expect(try messages("--days", "0").contains("--days must be from 1 to 3660"))
    #expect(try messages("nwes").contains("no job 'nwes' (did you mean 'news'?)"))
    #expect(try messages("--trace", "x").contains("--trace replays a trace"))
  }

  @Test
  func `a job that lacks an option or a secret is reported, and the other jobs are simulated`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    func write(_ more: String) throws {
      try program.write(
        "probe.lua",
        """
        return {
          api = 1, name = "probe", version = "1.0.0", \(more)
          fetch = function() return { { id = "1" } } end,
        }
        """)
    }
    let path = try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      jobs:
        - { name: probe, plugin: ./probe.lua, interval: 6h }
        - { name: other, plugin: ./other.lua, interval: 6h }
      """)
    try program.write(
      "other.lua",
      "return { api = 1, name = 'other', version = '1', fetch = function() return {} end }")
    func simulate(_ words: String...) throws -> Program.Ending {
      try program.start(["simulate", "--config", path] + words).wait()
    }
    func names(_ ending: Program.Ending) -> Set<Substring> {
      Set(ending.lines.compactMap { $0.firstMatch(of: /\S+Z +(\w+)\s/)?.1 })
    }

    try write("options = { room = { type = 'string', required = true } },")
    let never = try simulate()
    #expect(never.status == 78 && names(never) == ["other"], "\(never)")
    #expect(
      never.messages.contains(
        "fetchrun.yaml:3:5: job 'probe': option 'room' is required\n")
        || never.messages.contains("job 'probe': "), "\(never.messages)")
    let alone = try simulate("probe")
    #expect(alone.status == 78 && alone.output == "", "\(alone)")

    try write("")
    #expect(try program.run("run", "--config", path).status == 0)
    let well = try simulate()
    #expect(well.status == 0 && names(well) == ["probe", "other"], "\(well)")
    for (more, why) in [
      (
        "permissions = { http = { 'evil.example' } },",
        "allow it with `fetchrun grant probe --config"
      ),
      ("options = { room = { type = 'string', required = true } },", "option 'room'"),
    ] {
      try write(more)
      #expect(try program.run("run", "--config", path).status == 1)
      let held = try simulate("--fail", "probe=429")
      #expect(held.status == 1 && names(held) == ["other"], "\(held)")
      let line = held.messages.split(separator: "\n").first ?? ""
      #expect(
        line.hasPrefix(
          "fetchrun: left out of the simulation: job probe: \(program.folder.path)/./probe.lua ")
          && line.contains(why), "\(held.messages)")
    }
  }

  @Test func `a closed pipe ends the simulation without a message`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("fetchrun.yaml", Self.config)
    let script =
      "\"$0\" simulate news off --config \"$1\" --days 300 | head -n 1; exit ${PIPESTATUS[0]}"
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/bash")
    shell.arguments = ["-c", script, Program.executable.path, path]
    shell.currentDirectoryURL = Program.top
    shell.environment = program.environment
    let output = Pipe()
    let messages = Pipe()
    shell.standardOutput = output
    shell.standardError = messages
    try shell.run()
    let lines = try output.fileHandleForReading.readToEnd() ?? Data()
    let said = try messages.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    #expect(String(decoding: lines, as: UTF8.self).split(separator: "\n").count == 1)
    #expect(said.isEmpty)
    #expect(shell.terminationStatus == 141)
  }
}
