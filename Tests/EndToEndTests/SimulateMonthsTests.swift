import FetchValues
import Foundation
import Testing

/// Tests that simulate three months of jobs at dozens of hostnames with the daemon's own scheduler.
@Suite(.timeLimit(.minutes(5))) struct SimulateMonthsTests {
  private static let hostnames = (1...40).map { "s\($0)" }
  /// The intervals in hours. The jobs of the hostnames use these intervals in turn.
  private static let intervals = [5, 8, 12, 16]
  private static let gap: Duration = .seconds(2)
  private static let requestsPerDay = 200.0
  private static let days = 90
  private static let start = Timestamp(seconds: 1_793_491_200)

  private struct Job {
    var name: String
    var hostname: String
    var interval: String
  }

  private static let jobs = hostnames.enumerated().flatMap { place, hostname in
    let often = "\(intervals[place % intervals.count])h"
    let rare = place % 4 == 0 ? "16h" : "\"30 7 * * mon-fri\""
    return [Job(name: "\(hostname)-a", hostname: hostname, interval: often)]
      + (place % 2 == 0 ? [Job(name: "\(hostname)-b", hostname: hostname, interval: rare)] : [])
  }

  /// A job that uses the remaining budget, up to its own limit.
  private static let learned = Job(
    name: "learned", hostname: "s1", interval: "adaptive, budget: {requests: 20/d}")

  private static func config(_ jobs: [Job]) -> String {
    "budget: {requests: 200/d}\nlanes: {\"*\": {gap: 2s}}\njobs:\n"
      + jobs.map { job in
        "  - {name: \(job.name), plugin: rss, interval: \(job.interval), zone: UTC,"
          + " options: {url: \"https://\(job.hostname).example/\"}}\n"
      }.joined()
  }

  private struct Run {
    var job: String
    var startedAt: Timestamp
    var failure: String?
    var nextDueAt: Timestamp?
  }

  private func simulate(
    _ program: Program, _ jobs: [Job], _ more: String...
  ) throws -> (runs: [Run], ending: Program.Ending) {
    let path = try program.write("fetchrun.yaml", Self.config(jobs))
    let ending = try program.start(
      ["simulate", "--config", path, "--from", "\(Self.start)", "--days", "\(Self.days)", "--json"]
        + more, environment: ["TZ": "UTC"]
    ).wait()
    #expect(ending.status == 0)
    let runs = try ending.lines.map { text in
      let line = try JSONReader.decode(text)
      return Run(
        job: try #require(line["job"]?.stringValue),
        startedAt: try #require(line.time("startedAt")),
        failure: line["failure"]?.stringValue, nextDueAt: line.time("nextDueAt"))
    }
    return (runs, ending)
  }

  @Test
  func `jobs keep their pace, gaps and budget for three months, and the simulation is repeatable`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let jobs = Self.jobs + [Self.learned]
    let (runs, first) = try simulate(program, jobs)
    let second = try simulate(program, jobs).ending
    #expect(first.output == second.output)
    #expect(first.messages == second.messages)
    #expect(runs.allSatisfy { $0.failure == nil })
    keepsGaps(runs)
    keepsBudget(runs)
    let counts = Dictionary(grouping: runs, by: \.job).mapValues(\.count)
    for job in jobs {
      let count = try #require(counts[job.name], "\(job.name)")
      switch job.interval {
      case let text where text.hasPrefix("adaptive"):
        #expect(count >= Self.days && count <= Self.days * 20 + 1, "\(count)")
      case let text where text.hasSuffix("h"):
        // The lane and the budget may delay single runs, but never make them early.
        let hours = try #require(Int(text.dropLast()))
        let full = Self.days * 24 / hours
        #expect(count <= full + 1 && count >= full * 9 / 10, "\(job.name): \(count)")
      default: #expect((63...65).contains(count), "\(job.name): \(count)")
      }
    }
  }

  @Test func `an offline day causes no failure, and the jobs return spread out`() throws {
    let program = try Program()
    defer { program.remove() }
    let runs = try simulate(program, Self.jobs, "--offline", "30d+1d").runs
    let gone = Self.start + .seconds(30 * 86_400)
    let back = gone + .seconds(86_400)
    #expect(!runs.contains { $0.startedAt >= gone && $0.startedAt < back })
    #expect(runs.allSatisfy { $0.failure == nil })
    keepsGaps(runs)
    keepsBudget(runs)
    let minute = runs.filter { $0.startedAt >= back && $0.startedAt < back + .seconds(60) }
    // All jobs were due. The budget immediately allows a twentieth of a day's requests.
    #expect(minute.count <= Int(Self.requestsPerDay / 20) + 1, "\(minute.count)")
    #expect(!minute.isEmpty)
    let day = runs.filter { $0.startedAt >= back && $0.startedAt < back + .seconds(86_400) }
    #expect(Set(day.map(\.job)).count == Self.jobs.count)
  }

  @Test func `failures back off, are reported, and recover`() throws {
    let program = try Program()
    defer { program.remove() }
    let (runs, ending) = try simulate(
      program, Self.jobs, "--fail", "s2-a=503@10d+5d", "--fail", "s3-a=429:6h@20d+1d")
    keepsGaps(runs)
    keepsBudget(runs)
    #expect(Set(runs.filter { $0.failure != nil }.map(\.job)) == ["s2-a", "s3-a"])
    let broken = runs.filter { $0.job == "s2-a" }
    let failed = broken.filter { $0.failure != nil }
    #expect(failed.allSatisfy { $0.failure == "HTTP 503" })
    // In five days of failures, attempts become rarer but do not end.
    #expect((7...25).contains(failed.count), "\(failed.count)")
    let waits = failed.compactMap { run in run.nextDueAt.map { $0 - run.startedAt } }
    #expect(waits.allSatisfy { $0 <= .seconds(86_400) + Self.gap })
    #expect(waits.prefix(2).allSatisfy { $0 <= .seconds(1200) + Self.gap }, "\(waits)")
    #expect((waits.max() ?? .zero) >= .seconds(6 * 3600), "\(waits)")
    let end = Self.start + .seconds(15 * 86_400)
    let healed = try #require(broken.first { $0.startedAt >= end })
    #expect(healed.failure == nil && healed.startedAt - end <= .seconds(86_400))
    let after = broken.filter { $0.startedAt >= healed.startedAt }.map(\.startedAt)
    #expect(zip(after, after.dropFirst()).allSatisfy { $1 - $0 >= .seconds(8 * 3600) })
    #expect(after.count >= 74 * 3)
    #expect(ending.messages.contains(/notice: s2-a at \S+: it failed 3 times in a row\n/))
    #expect(ending.messages.contains(/notice: s2-a at \S+: it works again after \d+ failures\n/))

    // `Retry-After` also closes the lane for the other job of the hostname.
    let asked = try #require(runs.first { $0.job == "s3-a" && $0.failure == "HTTP 429" }).startedAt
    let lane = runs.filter { $0.job.hasPrefix("s3-") && $0.startedAt > asked }
    #expect(try #require(lane.first).startedAt - asked >= .seconds(6 * 3600))
  }

  // MARK: Invariants

  private func keepsGaps(_ runs: [Run]) {
    let hostnames = Dictionary(
      uniqueKeysWithValues: (Self.jobs + [Self.learned]).map { ($0.name, $0.hostname) })
    for (_, visits) in Dictionary(grouping: runs, by: { hostnames[$0.job] }) {
      for (before, after) in zip(visits, visits.dropFirst()) {
        #expect(after.startedAt - before.startedAt >= Self.gap, "\(after.job)")
      }
    }
  }

  /// Checks that the runs never exceed the budget's rate, with a burst of a twentieth of a day's
  /// requests. The runs drain a simulated bucket, which must not go below zero.
  private func keepsBudget(_ runs: [Run]) {
    let most = Self.requestsPerDay / 20
    var (level, last) = (most, Self.start)
    for run in runs {
      let passed = Double((run.startedAt - last).components.seconds) + 1
      level = min(most, level + passed * Self.requestsPerDay / 86_400) - 1
      last = run.startedAt
      #expect(level >= -0.01, "\(run.job) at \(run.startedAt)")
    }
  }
}
