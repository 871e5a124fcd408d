import FetchValues
import Foundation
import Testing

/// Tests of a source that is permanently gone, while a daemon serves.
@Suite(.timeLimit(.minutes(5))) struct GoneTests {
  let program: Program
  let site: Hostnames
  let lines: StoreLines

  init() throws {
    program = try Program()
    site = try Hostnames()
    lines = StoreLines(program: program)
  }

  private static let notice =
    "fetchrun: a: the source answered 410 Gone, so the job is paused: change the source's address "
    + "to resume the job, or remove the job"

  private func configure(_ path: String) throws {
    try program.write(
      "fetchrun.yaml",
      "lanes: {\"*\": {gap: 0s}}\njobs:\n" + site.job("a", at: "h1", path, every: "1s")
        + site.job("b", at: "h2", every: "1s"))
  }

  private func serve() throws -> Watched {
    try configure("/gone")
    return try Watched(program, ["serve", "--config", lines.config, "--allow-private"])
  }

  private func isGone() throws {
    let status = try lines.status()["a"]
    #expect(status?["state"] == "paused")
    #expect(
      status?["why"]?.stringValue?.contains(
        /^it has been paused since \S+Z because its source answered 410 Gone$/) == true)
    #expect(status?["nextDueAt"]?.isNull == true)
  }

  @Test func `410 pauses the job, is reported once, and the pause persists after a crash`() throws {
    defer {
      site.stop()
      program.remove()
    }
    let first = try serve()
    #expect(first.wait(forMessage: Self.notice))
    first.signal(SIGKILL)
    #expect(first.end() == 128 + SIGKILL)
    // The pause is stored before the notification is sent.
    try isGone()
    #expect(try lines.runs("a").map { $0["failure"]?["code"] } == ["httpStatus"])

    let second = try serve()
    second.wait(for: .output) { $0.count { $0.contains("  b  ") } >= 3 }
    try isGone()
    #expect(site.visits.count { $0.hostname == "h1" } == 1)
    #expect(first.messages.count { $0 == Self.notice } == 1)
    #expect(!second.messages.contains(Self.notice))

    #expect(try program.run("resume", "a", "--config", lines.config).output == "a: is resumed\n")
    #expect(second.wait(forMessage: Self.notice))
    second.wait(for: .output) { [count = second.output.count] in $0.count > count + 1 }
    try isGone()
    second.signal(SIGTERM)
    #expect(second.end() == 0)
    #expect(second.messages.count { $0 == Self.notice } == 1)
    #expect(site.visits.count { $0.hostname == "h1" } == 2)
  }

  @Test func `another address in the config ends the pause, and a message reports that`() throws {
    defer {
      site.stop()
      program.remove()
    }
    let serving = try serve()
    #expect(serving.wait(forMessage: Self.notice))
    try configure("/there")
    serving.signal(SIGHUP)
    #expect(
      serving.wait(
        forMessage: "fetchrun: a: the job's options or plugin have changed since the source "
          + "answered 410 Gone, so the job is resumed"))
    serving.wait(for: .output) { $0.contains { $0.hasPrefix("newData  a  2 added") } }
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }
}
