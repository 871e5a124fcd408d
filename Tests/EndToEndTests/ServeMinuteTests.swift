import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `serve` for a minute of real time with dozens of hostnames. The server's records, the
/// store and the daemon's reports must agree.
@Suite(.timeLimit(.minutes(5))) struct ServeMinuteTests {
  let program: Program
  let news: Newsroom
  let lines: StoreLines
  private let probe = DelayProbe()

  init() throws {
    program = try Program()
    news = try Newsroom()
    lines = StoreLines(program: program)
  }

  private static let hostnames = (1...40).map { "s\($0)" }
  /// The intervals in seconds. The jobs of the hostnames use these intervals in turn.
  private static let intervals = [5, 8, 12, 16]
  private static let gap: Duration = .seconds(1)
  /// The tolerated delay of a busy machine when it starts a run or records a visit.
  private var slack: Duration { probe.slack(atLeast: .milliseconds(500)) }

  /// The jobs that the test does not disturb, with their intervals in seconds. Half of the
  /// hostnames have one such job, and the other half have two.
  private static let steady: [String: Int] = {
    var jobs: [String: Int] = [:]
    for (place, hostname) in hostnames.enumerated() {
      jobs["\(hostname)-a"] = intervals[place % intervals.count]
      if place % 2 == 0 { jobs["\(hostname)-b"] = 16 }
    }
    return jobs
  }()

  /// The jobs that the test disturbs, and their changes.
  private struct Script {
    var changed = "16s"
    var isAdded = false
  }

  private func config(_ script: Script) -> String {
    var jobs = Self.steady.sorted { $0.key < $1.key }.map { name, interval in
      let parts = name.split(separator: "-").map(String.init)
      return news.job(name, at: parts[0], "/\(parts[1])", every: "\(interval)s")
    }
    jobs.append(news.job("slow", at: "slow", "/a", every: "5s"))
    jobs.append(news.job("beside", at: "slow", "/b", every: "5s"))
    jobs.append(news.job("pushed", at: "pushed", every: "1h"))
    jobs.append(news.job("paused", at: "paused", every: "5s"))
    jobs.append(news.job("changed", at: "changed", every: script.changed))
    if script.isAdded { jobs.append(news.job("added", at: "added", every: "8s")) }
    return "lanes: {\"*\": {gap: 1s}}\njobs:\n" + jobs.joined()
  }

  @Test func `a minute with dozens of hostnames is correct in every report`() throws {
    defer {
      news.stop()
      program.remove()
    }
    news.hold("slow")
    let path = try program.write("fetchrun.yaml", config(Script()))
    let serving = try Watched(program, ["serve", "--config", path, "--allow-private", "--json"])
    #expect(serving.wait(forMessage: "serving \(Self.steady.count + 5) jobs"))

    try aLaneHasOneAtATime()
    try aPauseHoldsUntilItEnds()
    try aReloadTouchesWhatHasChanged(serving)
    let foretold = try whatIsExplained()
    try pushesAreOneRun(serving)
    news.wait { visits in
      let counts = Dictionary(grouping: visits) { $0.hostname + $0.path }.mapValues(\.count)
      return Self.steady.keys.allSatisfy {
        counts[$0.replacing("-", with: "/"), default: 0] >= 4
      } && counts["changed/feed", default: 0] >= 4 && counts["added/feed", default: 0] >= 3
    }
    let status = try lines.status()
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
    #expect(serving.messages.suffix(2).allSatisfy { !$0.contains("rror") })

    try theServerWasAskedPolitely()
    let runs = try lines.runs()
    try eachJobRanAtItsPace(runs)
    try whatWasForetoldCame(foretold, runs)
    try theStatusWasTrue(status, runs)
    try nothingIsLostOrDoubled(runs, told: serving.output)
  }

  // MARK: During the minute

  /// Checks that a lane has at most one run at a time. The server delays an answer of `slow` for
  /// the check.
  private func aLaneHasOneAtATime() throws {
    news.wait { visits in
      visits.contains { $0.hostname == "slow" }
        && visits.count { $0.hostname == "s1" && $0.path == "/a" } >= 3
    }
    #expect(news.visits(of: "slow").count == 1)
    let status = try lines.status()
    let why = ["slow", "beside"].compactMap { status[$0]?["why"]?.stringValue }.sorted()
    #expect(why.count == 2)
    #expect(why[0].hasPrefix("it has been running since "))
    #expect(why[1] == "slow.localhost is busy with 1 other run (at most 1 at a time)")
    news.free("slow")
  }

  private func aPauseHoldsUntilItEnds() throws {
    news.wait(for: "paused", count: 2)
    #expect(
      try program.run("pause", "paused", "--config", lines.config).output == "paused: is paused\n")
    // A run that began before the pause may still be active.
    while try lines.status()["paused"]?["state"] != "paused" {}
    let count = news.visits(of: "paused").count
    let others = news.visits(of: "s5").count
    news.wait { $0.count { $0.hostname == "s5" } >= others + 2 }
    #expect(news.visits(of: "paused").count == count)
    #expect(try lines.explain("paused").hasPrefix("paused has been paused since "))
    #expect(
      try program.run("resume", "paused", "--config", lines.config).output
        == "paused: is resumed\n")
    news.wait(for: "paused", count: count + 1)
  }

  private func aReloadTouchesWhatHasChanged(_ serving: Watched) throws {
    let message = "config reloaded: \(Self.steady.count + 6) jobs"
    var quietCount = 0
    // On a busy machine, most jobs may run during a reload. The same config is then loaded again.
    for round in 1...5 where quietCount <= Self.steady.count / 3 {
      let before = try lines.status()
      try program.write("fetchrun.yaml", config(Script(changed: "6s", isAdded: true)))
      serving.signal(SIGHUP)
      #expect(serving.wait(for: .messages) { $0.count { $0.contains(message) } >= round })
      let after = try lines.status()
      #expect((before["added"] == nil) == (round == 1) && after["added"] != nil)
      // Only jobs that did not run between the two answers are compared.
      let quiet = Self.steady.keys.filter {
        before[$0]?["state"] == "scheduled" && after[$0]?["state"] == "scheduled"
          && before[$0]?["lastSuccessAt"] == after[$0]?["lastSuccessAt"]
      }
      for job in quiet { #expect(before[job]?["nextDueAt"] == after[job]?["nextDueAt"], "\(job)") }
      quietCount = quiet.count
    }
    #expect(quietCount > Self.steady.count / 3)
  }

  /// Returns the due times that `explain` predicts for some jobs.
  private func whatIsExplained() throws -> [String: Timestamp] {
    var foretold: [String: Timestamp] = [:]
    for job in ["s2-a", "s3-a", "s4-a", "s7-a", "s8-a", "s40-a"] {
      // The job may be running at this moment.
      for _ in 0..<100 where foretold[job] == nil {
        let text = try lines.explain(job)
        foretold[job] =
          text.firstMatch(of: /waits: it is due at (\S+) \(in \S+\) by its interval\./)
          .flatMap { Timestamp(rfc3339: String($0.1)) }
      }
    }
    #expect(foretold.count == 6)
    return foretold
  }

  /// Checks that three pushes during a run cause one more run, which waits for its due time.
  private func pushesAreOneRun(_ serving: Watched) throws {
    func push() throws -> String {
      try program.run("push", "pushed", "--config", lines.config).output
    }
    func told() -> Int { serving.output.count { $0.contains("\"job\":\"pushed\"") } }
    serving.wait(for: .output) { _ in told() >= 1 }
    #expect(news.visits(of: "pushed").count == 1)
    news.hold("pushed")
    #expect(try push() == "pushed: due\n")
    news.wait(for: "pushed", count: 2)
    for _ in 0..<3 {
      #expect(try push().hasPrefix("pushed: waits: it has been running since "))
    }
    news.free("pushed")
    serving.wait(for: .output) { _ in told() >= 2 }
    let status = try lines.status()["pushed"]
    #expect(status?["state"] == "scheduled")
    #expect(status?["why"]?.stringValue?.hasPrefix("it was pushed and is due at ") == true)
    #expect(news.visits(of: "pushed").count == 2)
  }

  // MARK: After the minute

  private func theServerWasAskedPolitely() throws {
    for (hostname, visits) in Dictionary(grouping: news.visits, by: \.hostname) {
      #expect(visits.allSatisfy { $0.isAlone }, "\(hostname)")
      for (place, first) in visits.enumerated() {
        for (count, later) in visits[place...].enumerated() {
          let passed = first.at.duration(to: later.at)
          #expect(passed >= Self.gap * count - slack, "\(hostname)")
        }
      }
    }
  }

  /// Checks the time between two starts of a job. A start may be delayed by the lane and by a busy
  /// machine.
  private func eachJobRanAtItsPace(_ runs: [Value]) throws {
    for (job, interval) in Self.steady {
      let own = runs.filter { $0["job"] == .string(job) }
      #expect(own.count >= 4)
      #expect(own.allSatisfy { $0["outcome"] != "failed" && $0["trigger"] == "schedule" }, "\(job)")
      let starts = own.compactMap { $0.time("startedAt") }
      #expect(starts.count == own.count)
      for (before, after) in zip(starts, starts.dropFirst()) {
        #expect(after - before >= .seconds(interval) - slack, "\(job)")
        #expect(after - before <= .seconds(interval) + Self.gap * 2 + slack * 2, "\(job)")
      }
    }
    let changed = runs.filter { $0["job"] == "changed" }.compactMap { $0.time("startedAt") }
    let gaps = zip(changed, changed.dropFirst()).map { $1 - $0 }
    let span = Duration.seconds(6) - slack ... .seconds(6) + Self.gap * 2 + slack * 2
    #expect(gaps.suffix(2).allSatisfy(span.contains), "\(gaps)")
  }

  private func whatWasForetoldCame(_ foretold: [String: Timestamp], _ runs: [Value]) throws {
    for (job, due) in foretold {
      let next = runs.filter { $0["job"] == .string(job) }.compactMap { $0.time("startedAt") }
        .first { $0 >= due + .seconds(-1) }
      let late = try #require(next, "\(job)") - due
      #expect(late <= Self.gap * 2 + slack * 2, "\(job)")
    }
  }

  /// Checks the last output of `status` for the jobs that did not run afterwards.
  private func theStatusWasTrue(_ status: [String: Value], _ runs: [Value]) throws {
    var comparedCount = 0
    for (job, interval) in Self.steady {
      let line = try #require(status[job])
      let last = try #require(runs.last { $0["job"] == .string(job) })
      #expect(line["failures"] == 0)
      #expect(line["lane"] == .string("\(job.prefix { $0 != "-" }).localhost"))
      guard line["state"] == "scheduled", let start = last.time("startedAt"),
        let success = line.time("lastSuccessAt"), start <= success + .seconds(1)
      else { continue }
      comparedCount += 1
      #expect(line["lastOutcome"] == last["outcome"], "\(job)")
      let next = try #require(line.time("nextDueAt"))
      // The interval counts from the moment when the scheduler starts the run. On a busy machine,
      // the run itself begins a little later.
      #expect(next - start >= .seconds(interval) - slack * 2, "\(job)")
      #expect(next - start <= .seconds(interval) + slack * 2, "\(job)")
    }
    #expect(comparedCount > Self.steady.count / 2)
  }

  private func nothingIsLostOrDoubled(_ runs: [Value], told: [String]) throws {
    #expect(runs.count == news.visits.count)
    #expect(told.count == runs.count)
    #expect(Set(runs.compactMap { $0["run"]?.stringValue }).count == runs.count)
    let items = try lines.items().compactMap { $0["id"]?.stringValue }
    let changes = try lines.changes()
    // The items are the published ones, and no item is listed twice.
    #expect(Set(items) == news.published)
    #expect(items.count == news.published.count)
    #expect(changes.allSatisfy { $0["change"] == "added" })
    #expect(changes.compactMap { $0["id"]?.stringValue }.sorted() == items.sorted())
    // Some visits find no new item.
    #expect(runs.contains { $0["reason"] == "notModified" })
    let added = runs.reduce(0) { $0 + ($1["added"]?.integerValue ?? 0) }
    #expect(added == Int64(items.count))
  }
}
