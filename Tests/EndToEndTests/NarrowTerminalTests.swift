import FetchTestSupport
import Foundation
import Testing

/// Tests of tables on a terminal of 80 columns.
@Suite(
  .enabled(if: TypedTerminal.isAvailable, "there is no setsid to give a program a terminal"),
  .timeLimit(.minutes(5)))
struct NarrowTerminalTests {
  @Test func `status shows the next time and the reason if not all columns fit`() throws {
    let program = try Program()
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(404) }
    defer { server.stop() }
    let config = try program.write(
      "fetchrun.yaml",
      "jobs: [{ name: news, plugin: rss, interval: 1h, options: { url: \"\(server.url)/\" } }]\n")
    #expect(try program.run("run", "--config", config, "--allow-private").status == 1)
    let piped = try program.run("status", "--config", config)
    #expect(
      piped.lines.first?.split(separator: " ") == [
        "JOB", "STATE", "LAST", "SUCCESS", "NEW", "DATA", "NEXT", "FAILURES", "LANE", "WHY",
      ], "\(piped)")
    let terminal = try TypedTerminal(
      program, ["status", "--config", config], environment: ["NO_COLOR": "1"])
    #expect(terminal.end() == 0, "\(terminal.shown)")
    let lines = terminal.shown.split(separator: "\r\n").suffix(2)
    #expect(lines.first == "JOB   STATE    LAST    NEXT                 WHY", "\(lines)")
    #expect(lines.last?.hasPrefix("news  backOff  failed  20") == true, "\(lines)")
    #expect(lines.last?.contains("  failed once (") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
  }

  @Test func `a long name is cut before the reason is omitted, and only on a terminal`() throws {
    let program = try Program()
    defer { program.remove() }
    let server = try ScriptedServer { _, connection in connection.answer(404) }
    defer { server.stop() }
    let name = "news-of-a-place-whose-name-is-longer-than-half-a-line"
    let config = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - { name: \(name), plugin: rss, interval: 1h, options: { url: "\(server.url)/" } }
      """)
    #expect(try program.run("run", "--config", config, "--allow-private").status == 1)
    let piped = try program.run("status", "--config", config)
    #expect(piped.lines.last?.hasPrefix("\(name)  backOff  failed  ") == true, "\(piped)")
    #expect(piped.lines.last?.contains("404 Not Found); next try at ") == true, "\(piped)")
    let terminal = try TypedTerminal(
      program, ["status", "--config", config], environment: ["NO_COLOR": "1"])
    #expect(terminal.end() == 0, "\(terminal.shown)")
    let lines = terminal.shown.split(separator: "\r\n").suffix(2)
    #expect(lines.first == "JOB           STATE    LAST    NEXT                 WHY", "\(lines)")
    #expect(lines.last?.hasPrefix("news-of-a-p…  backOff  failed  20") == true, "\(lines)")
    #expect(lines.last?.contains("  failed once (") == true, "\(lines)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
  }
}
