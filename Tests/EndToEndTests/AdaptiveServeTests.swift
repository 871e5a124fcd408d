import FetchEngine
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `interval: adaptive` in a daemon: a source's publications determine how often the
/// source is checked.
@Suite(.timeLimit(.minutes(5))) struct AdaptiveServeTests {
  let program: Program
  let server: ScriptedServer
  let lines: StoreLines

  init() throws {
    program = try Program()
    lines = StoreLines(program: program)
    let now = RunTime.system.now()
    server = try ScriptedServer { request, connection in
      // The feed at `/busy` has 40 items, one for every ten minutes until now. The other feed has
      // three old items.
      let ages =
        request.path == "/busy" ? (0..<40).map { $0 * 600 + 60 } : [1, 2, 3].map { $0 << 25 }
      let entries = ages.map { age in
        "<entry><id>\(request.path)/\(age)</id><title>t</title>"
          + "<updated>\(now + .seconds(-age))</updated></entry>"
      }
      connection.answer(
        200, [],
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>x</id>"
          + entries.joined() + "</feed>")
    }
  }

  @Test func `a source that publishes is checked more often than one that does not`() throws {
    defer {
      server.stop()
      program.remove()
    }
    let jobs = ["busy", "still"].map {
      "  - {name: \($0), plugin: rss, interval: adaptive, options:"
        + " {url: \"http://\($0).localhost:\(server.port)/\($0)\"}}\n"
    }
    try program.write("fetchrun.yaml", "jobs:\n" + jobs.joined())
    let serving = try Watched(program, ["serve", "--config", lines.config, "--allow-private"])
    serving.wait(for: .output) { $0.count == 2 }
    let status = try lines.status()
    let explained = try lines.explain("busy")
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)

    for job in ["busy", "still"] {
      let why = try #require(status[job]?["why"]?.stringValue)
      #expect(why.hasSuffix(" by its learned schedule"))
    }
    let busy = try believed(of: explained)
    // The rate is learned from 40 events in 6.5 hours and the initial belief of one event in half a
    // day: about 53 events per day.
    #expect(busy > 48 && busy < 288)
    // The store has the learned rate, so the output is the same without a daemon.
    #expect(try believed(of: lines.explain("busy")) == busy)
    #expect(try lines.explain("still").contains(" is assumed: no run has shown yet how often "))
    // Without a budget a check has its lowest price, so the busy source is checked every seven
    // minutes or less often.
    let pace = try #require(
      explained.firstMatch(
        of: try Regex(
          "It is checked about every ([0-9]+) minutes, because its source publishes about [0-9]+"
            + " items a day \\(learned after 1 run\\)\\.", as: (Substring, Substring).self)))
    let minutes = try #require(Double(pace.1))
    #expect(abs(minutes - (600 * 86_400 / busy).squareRoot() / 60) <= 1, "\(minutes) \(busy)")

    // Simulates the schedule of the next two weeks. The simulated sources publish at the learned
    // rates, and requests are expensive because the budget is small.
    try program.write("fetchrun.yaml", "budget: {requests: 4/h}\njobs:\n" + jobs.joined())
    let weeks = try program.start([
      "simulate", "--config", lines.config, "--days", "14", "--json",
    ]).wait()
    #expect(weeks.status == 0)
    let asked = try weeks.lines.map { try JSONReader.decode($0)["job"] }
    let counts = ["busy", "still"].map { job in asked.count { $0 == .string(job) } }
    #expect(counts[1] >= 14 && counts[0] >= 3 * counts[1], "\(counts)")
    let budget = 14 * 24 * 4
    #expect(counts[0] + counts[1] <= budget + 1, "\(counts)")
  }

  /// Returns the learned rate in items per day.
  private func believed(of explained: String) throws -> Double {
    let match = try #require(
      explained.firstMatch(
        of: /source publishes about ([0-9]+) items? a (day|week|month) \(learned after 1 run\)/))
    let days: Double = match.2 == "day" ? 1 : match.2 == "week" ? 7 : 30
    return try #require(Double(match.1)) / days
  }
}
