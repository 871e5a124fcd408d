import FetchValues
import Foundation
import Testing

/// Tests of jobs with `enabled: false`. These jobs run only by name.
@Suite(.serialized) struct DisabledJobTests {
  private let program: Program
  private let config: String
  private let plugin: String

  init() throws {
    program = try Program()
    plugin = try program.write(
      "quiet.lua",
      "return { api = 1, name = \"quiet\", version = \"1\", fetch = function() end }")
    config = try program.write("fetchrun.yaml", "")
    try write("interval: never", "enabled: false")
  }

  /// Writes a config with two jobs, and a third job whose plugin is missing.
  private func write(_ on: String, _ off: String) throws {
    try program.write(
      "fetchrun.yaml",
      """
      store: kept.sqlite
      jobs:
        - {name: on, plugin: \(plugin), \(on)}
        - {name: off, plugin: \(plugin), \(off)}
        - {name: gone, plugin: ./gone.lua, enabled: false}
      """)
  }

  private func fetchrun(_ words: String...) throws -> Program.Ending {
    try program.run(words + ["--config", config])
  }

  /// Returns the state of each job by its name.
  private func states() throws -> [String: String] {
    var states: [String: String] = [:]
    for line in try fetchrun("status", "--json").lines {
      let row = try JSONReader.decode(line)
      let state = row["state"]?.stringValue
      states[row["job"]?.stringValue ?? ""] = state
      if state == "disabled" { #expect(row["nextDueAt"] == .null) }
    }
    return states
  }

  private static let advice =
    "It runs only on request, for example with `fetchrun run`; to schedule it, remove"
    + " `enabled: false` from the config."

  private func checkAnswers() throws {
    #expect(try states() == ["on": "idle", "off": "disabled", "gone": "disabled"])
    let off = try fetchrun("explain", "off")
    #expect(off.status == 0)
    #expect(off.lines.prefix(2) == ["off is disabled in the config.", Self.advice])
    let gone = try fetchrun("explain", "gone")
    #expect(gone.status == 0)
    #expect(gone.lines.prefix(2).last?.contains("`fetchrun check` says why") == true)
    // If one of several jobs is wrong, none is paused.
    let timed = try fetchrun("pause", "off", "240h")
    #expect(timed.status == 1 && timed.output.isEmpty)
    #expect(
      timed.messages.hasSuffix(
        "fetchrun: there is no job '240h': a pause has no duration, it lasts until"
          + " `fetchrun resume`; no job was changed\n"), "\(timed)")
    let mixed = try fetchrun("pause", "off", "gone")
    #expect(mixed.status == 1 && mixed.output.isEmpty)
    #expect(mixed.messages.hasSuffix("`fetchrun check` shows them; no job was changed\n"))
    #expect(try fetchrun("pause", "off").output == "off: is paused\n")
    let resumed = try fetchrun("resume", "off", "nobody")
    #expect(resumed.status == 1 && resumed.output.isEmpty)
    #expect(
      resumed.messages.hasSuffix("fetchrun: there is no job 'nobody'; no job was changed\n"))
    #expect(try fetchrun("resume", "off").output == "off: is resumed\n")
    let paused = try fetchrun("pause", "gone")
    #expect(paused.status == 1)
    #expect(paused.messages.contains("cannot pause or resume 'gone': the job is disabled"))
    #expect(try fetchrun("explain", "offf").messages.contains("did you mean 'off'?"))
  }

  @Test func `without a daemon, disabled jobs run only by their name`() throws {
    defer { program.remove() }
    #expect(try fetchrun("run").lines.count == 1)
    try checkAnswers()
    let run = try fetchrun("run", "off")
    #expect(run.status == 0 && run.output.hasPrefix("noData  off"), "\(run)")
    #expect(try states() == ["on": "idle", "off": "disabled", "gone": "disabled"])
  }

  @Test func `a daemon accepts the names of disabled jobs, and runs them only by name`() throws {
    defer { program.remove() }
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 3 jobs (2 disabled) of"))
    try checkAnswers()
    for job in ["off", "gone"] {
      let push = try fetchrun("push", job)
      #expect(push.output == "\(job): skipped: it was disabled in the config\n", "\(push)")
    }
    for verb in ["push", "run"] {
      let mixed = try fetchrun(verb, "on", "nobody", verb == "run" ? "--no-wait" : "--json")
      #expect(mixed.status == 1 && mixed.output.isEmpty, "\(mixed)")
      #expect(mixed.messages == "fetchrun: there is no job 'nobody'; no job was changed\n")
    }
    let run = try fetchrun("run", "off")
    #expect(run.status == 0 && run.output.hasPrefix("noData  off"), "\(run)")
    let gone = try fetchrun("run", "gone")
    #expect(gone.status == 8)
    #expect(gone.messages == "fetchrun: gone does not run: it was disabled in the config\n")
    let all = try fetchrun("run")
    #expect(all.lines.count == 1 && all.output.hasPrefix("noData  on"), "\(all)")
    #expect(try fetchrun("run", "off", "--no-wait").output == "off: due\n")
    serving.wait(for: .output) { $0.count == 3 }
    #expect(try states() == ["on": "idle", "off": "disabled", "gone": "disabled"])
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `a reload enables and disables`() throws {
    defer { program.remove() }
    let serving = try Watched(program, ["serve", "--config", config])
    #expect(serving.wait(forMessage: "serving 3 jobs (2 disabled) of"))
    try write("interval: 1h, enabled: false", "interval: 1h")
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded: 3 jobs (2 disabled)"))
    serving.wait(for: .output) { $0.count == 1 }
    #expect(serving.output[0].hasPrefix("noData  off"))
    #expect(try states() == ["on": "disabled", "off": "scheduled", "gone": "disabled"])
    try write("interval: 1h", "interval: 1h")
    serving.signal(SIGHUP)
    #expect(serving.wait(forMessage: "config reloaded: 3 jobs (1 disabled)"))
    serving.wait(for: .output) { $0.count == 2 }
    #expect(try states() == ["on": "scheduled", "off": "scheduled", "gone": "disabled"])
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }
}
