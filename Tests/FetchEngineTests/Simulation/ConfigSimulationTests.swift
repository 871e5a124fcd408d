import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

@Suite struct ConfigSimulationTests {
  /// The time at which the simulations start, on 2026-11-20, a Friday.
  static let start = Timestamp(milliseconds: 1_795_168_800_000)  // 10:00:00Z

  private var plan = SimulationPlan(from: Self.start, days: 1)
  private var limits = BudgetLimits()
  private var gap: Duration = .seconds(1)

  private func job(
    _ name: JobName, _ interval: String, host: String? = nil
  ) throws -> ScheduledJob {
    ScheduledJob(
      name: name, interval: try Interval(parsing: interval), hostname: host ?? "\(name).example")
  }

  private func simulation(
    _ jobs: [ScheduledJob], remembered: [JobName: JobSchedule] = [:]
  ) -> ConfigSimulation {
    var rules = LaneRules()
    var rule = LaneRule()
    rule.gap = gap
    if let all = HostPattern("*") { rules.set(rule, for: all) }
    let now = plan.time.lowerBound
    return ConfigSimulation(
      jobs, remembered: remembered,
      scheduler: Scheduler(lanes: rules, budget: Budget(limits, now: now), now: now),
      learned: LearnedSchedules(requestsPerHour: limits.requests.map(\.perHour).min()), plan: plan)
  }

  private func runs(
    _ jobs: [ScheduledJob], remembered: [JobName: JobSchedule] = [:]
  ) -> [SimulatedRun] {
    var simulation = simulation(jobs, remembered: remembered)
    var runs: [SimulatedRun] = []
    simulation.run { runs.append($0) }
    return runs
  }

  private func timetable(_ jobs: [ScheduledJob], first count: Int = .max) -> String {
    runs(jobs).prefix(count).map { $0.text(nameWidth: 0) }.joined(separator: "\n")
  }

  /// Returns the times at which a job starts, in seconds since the beginning.
  private func starts(_ job: JobName, _ runs: [SimulatedRun]) -> [Double] {
    runs.filter { $0.job == job }.map {
      Double(($0.startedAt - Self.start).wholeMilliseconds) / 1000
    }
  }

  @Test mutating func `a job's own budget delays its runs, and is given as the reason`() throws {
    plan = SimulationPlan(from: Self.start, days: 2)
    var greedy = try job("greedy", "1m")
    greedy.budget.requests = [Rate(amount: 6, period: .hour)]
    var simulation = simulation([greedy, try job("plain", "1h")])
    var runs: [SimulatedRun] = []
    var summary = SimulationSummary()
    simulation.run { run in
      runs.append(run)
      summary.count(run)
    }
    let starts = starts("greedy", runs)
    #expect((280...289).contains(starts.count))
    #expect(self.starts("plain", runs).count == 48)
    let waited = runs.filter { $0.job == "greedy" }.dropFirst().compactMap(\.waitedFor)
    #expect(waited.count == starts.count - 1)
    #expect(
      waited.allSatisfy {
        if case .ownBudget = $0 { true } else { false }
      })
    #expect(
      summary.text(simulation).contains(
        /\nbudget of greedy: requests: [01] available \(at most 1\), 6 an hour, (99|100) % used\n/),
      "\(summary.text(simulation))")
  }

  // MARK: Timetables

  @Test mutating func `a feed's own hints are respected`() throws {
    var remembered = JobSchedule()
    remembered.lastStartAt = Self.start + .seconds(-60)
    remembered.dueAt = Self.start
    remembered.feedHints.ttl = .seconds(4 * 3600)
    remembered.feedHints.skipHours = 1 << 18 | 1 << 19
    let runs = runs([try job("news", "1h")], remembered: ["news": remembered])
    #expect(starts("news", runs).map { ($0 / 3600).rounded(.down) } == [0, 4, 10, 14, 18, 22])
    #expect(
      runs.prefix(3).map(\.reason) == [.firstRun, .hint(.ttl), .hint(.skipHours)])
  }

  @Test mutating func `an interval counts from the start of the previous run`() throws {
    let lines = timetable([try job("news", "6h")])
    #expect(
      lines == """
        2026-11-20T10:00:00Z  news  newData  for its first run, next 2026-11-20T16:00:00Z
        2026-11-20T16:00:00Z  news  newData  by its interval, next 2026-11-20T22:00:00Z
        2026-11-20T22:00:00Z  news  newData  by its interval, next 2026-11-21T04:00:00Z
        2026-11-21T04:00:00Z  news  newData  by its interval, next 2026-11-21T10:00:00Z
        """)
  }

  @Test mutating func `a job with a cron line runs at its times`() throws {
    plan = SimulationPlan(from: Self.start, days: 5)
    let lines = timetable([try job("daily", "30 7 * * mon-fri")])
    #expect(
      lines == """
        2026-11-23T07:30:00Z  daily  newData  by its cron line, next 2026-11-24T07:30:00Z
        2026-11-24T07:30:00Z  daily  newData  by its cron line, next 2026-11-25T07:30:00Z
        2026-11-25T07:30:00Z  daily  newData  by its cron line, next 2026-11-26T07:30:00Z
        """)
  }

  @Test mutating func `a learned schedule plans from simulated items`() throws {
    limits.requests = [Rate(amount: 24, period: .day)]
    let lines = timetable([try job("learned", "adaptive")], first: 3)
    #expect(
      lines == """
        2026-11-20T10:00:00Z  learned  newData  for its first run, next 2026-11-20T11:00:06Z
        2026-11-20T11:00:06Z  learned  noData   by its learned schedule, next 2026-11-20T12:20:32Z
        2026-11-20T12:20:32Z  learned  noData   by its learned schedule, next 2026-11-20T13:29:50Z
        """)
  }

  @Test mutating func `a 429 with Retry-After closes the lane for all its jobs`() throws {
    plan.failures = [try SimulatedFailure(parsing: "a=429:2h@3h+90m")]
    let jobs = [try job("a", "4h", host: "one.example"), try job("b", "1h", host: "one.example")]
    let lines = timetable(jobs, first: 9)
    #expect(
      lines == """
        2026-11-20T10:00:00Z  a  newData  for its first run, next 2026-11-20T14:00:00Z
        2026-11-20T10:00:01Z  b  newData  for its first run, waited 1s while one.example was \
        busy with other runs, next 2026-11-20T11:00:01Z
        2026-11-20T11:00:01Z  b  noData   by its interval, next 2026-11-20T12:00:01Z
        2026-11-20T12:00:01Z  b  noData   by its interval, next 2026-11-20T13:00:01Z
        2026-11-20T13:00:01Z  b  noData   by its interval, next 2026-11-20T14:00:01Z
        2026-11-20T14:00:00Z  a  failed   by its interval, HTTP 429, next 2026-11-20T16:00:01Z
        2026-11-20T16:00:01Z  b  newData  by its interval, waited 2h while one.example got no \
        requests because it sent Retry-After, next 2026-11-20T17:00:01Z
        2026-11-20T16:00:02Z  a  newData  because of Retry-After or a postponed request, waited 1s \
        while one.example was busy with other runs, next 2026-11-20T20:00:02Z
        2026-11-20T17:00:01Z  b  noData   by its interval, next 2026-11-20T18:00:01Z
        """)
  }

  @Test mutating func `a job that waits for its lane names the other job`() throws {
    plan.failures = [try SimulatedFailure(parsing: "a=429:2h@3h+90m")]
    let jobs = [try job("a", "4h", host: "one.example"), try job("b", "1h", host: "one.example")]
    let late = try #require(runs(jobs).first { $0.waited > .seconds(60) })
    #expect(late.job == "b")
    #expect(
      late.waitedFor?.sentence(now: late.dueAt) == """
        one.example gets no requests until 2026-11-20T16:00:01Z (in 2h) because it sent \
        Retry-After
        """)
  }

  @Test mutating func `a wait is reported with its longest reason, not with its first`() throws {
    plan.failures = [try SimulatedFailure(parsing: "x=429:4h")]
    plan.offline = try SimulatedStretch(parsing: "6h+2h")
    let jobs = try ["x", "y"].map { try job($0, "12h", host: "a.example") }
    var simulation = simulation(jobs)
    var summary = SimulationSummary()
    var lines: [String] = []
    simulation.run { run in
      summary.count(run)
      if run.job == "y" { lines.append(run.text(nameWidth: 0)) }
    }
    #expect(
      lines.first == """
        2026-11-20T14:00:01Z  y  newData  for its first run, waited 4h1s while a.example got no \
        requests because it sent Retry-After, next 2026-11-21T02:00:01Z
        """)
    let text = summary.text(simulation)
    #expect(
      text.hasSuffix(
        """

        longest wait: y waited 4h1s until 2026-11-20T14:00:01Z: a.example gets no requests \
        until 2026-11-20T14:00:01Z (in 4h1s) because it sent Retry-After
        """), "\(text)")
  }

  @Test mutating func `a wait is reported even if a thousand jobs wait for one another`()
    throws
  {
    plan = SimulationPlan(from: Self.start, days: 2)
    plan.offline = try SimulatedStretch(parsing: "20m+1d")
    let runs = runs(try (0..<1500).map { try job("job\($0)", "1d", host: "one.example") })
    let day: Duration = .seconds(86_400)
    let late = runs.filter { $0.waited > day }
    #expect(late.count > 200)
    #expect(
      late.allSatisfy {
        if case .offline = $0.waitedFor { true } else { false }
      })
  }

  @Test mutating func `failures back off, and the first success ends it`() throws {
    plan.failures = [try SimulatedFailure(parsing: "a=503@1h+2h")]
    let lines = timetable([try job("a", "30m")], first: 12)
    #expect(
      lines == """
        2026-11-20T10:00:00Z  a  newData  for its first run, next 2026-11-20T10:30:00Z
        2026-11-20T10:30:00Z  a  noData   by its interval, next 2026-11-20T11:00:00Z
        2026-11-20T11:00:00Z  a  failed   by its interval, HTTP 503, next 2026-11-20T11:09:58Z
        2026-11-20T11:09:58Z  a  failed   to retry after 1 failure in a row, HTTP 503, next \
        2026-11-20T11:26:51Z
        2026-11-20T11:26:51Z  a  failed   to retry after 2 failures in a row, HTTP 503, next \
        2026-11-20T11:56:21Z
        2026-11-20T11:56:21Z  a  failed   to retry after 3 failures in a row, HTTP 503, next \
        2026-11-20T12:27:24Z
        2026-11-20T12:27:24Z  a  failed   to retry after 4 failures in a row, HTTP 503, next \
        2026-11-20T14:08:34Z
        2026-11-20T14:08:34Z  a  noData   to retry after 5 failures in a row, next \
        2026-11-20T14:38:34Z
        2026-11-20T14:38:34Z  a  newData  by its interval, next 2026-11-20T15:08:34Z
        2026-11-20T15:08:34Z  a  noData   by its interval, next 2026-11-20T15:38:34Z
        2026-11-20T15:38:34Z  a  noData   by its interval, next 2026-11-20T16:08:34Z
        2026-11-20T16:08:34Z  a  noData   by its interval, next 2026-11-20T16:38:34Z
        """)
  }

  @Test mutating func `being offline costs no budget, and the jobs return spread out`() throws {
    plan.offline = try SimulatedStretch(parsing: "1h30m+2h")
    let jobs = try (0..<20).map { try job("job\($0)", "1h") }
    let runs = runs(jobs)
    #expect(runs.allSatisfy { $0.outcome.failure == nil })
    let back = runs.filter { $0.reason == .conditions }
    #expect(Set(back.map(\.job)).count == 20)
    let first = Self.start + .seconds(3 * 3600 + 1800)
    #expect(back.allSatisfy { $0.startedAt >= first && $0.startedAt < first + .seconds(2) })
    #expect(Set(back.map(\.startedAt)).count > 10)
    #expect(back.allSatisfy { $0.waited >= .seconds(5400) })
    #expect(
      back.allSatisfy {
        $0.waitedFor == .offline(since: Self.start + .seconds(5400))
      })
  }

  @Test mutating func `a run that the loss of the network interrupts does not count as a failure`()
    throws
  {
    plan.offline = try SimulatedStretch(parsing: "500ms+1h")
    let lines = timetable([try job("a", "6h")], first: 3)
    #expect(
      lines == """
        2026-11-20T10:00:00Z  a  failed   for its first run, there is no network, next \
        2026-11-20T10:00:01Z
        2026-11-20T11:00:00Z  a  newData  after a wait for a condition such as the network, \
        waited 59m59s while this machine was offline, next 2026-11-20T17:00:00Z
        2026-11-20T17:00:00Z  a  newData  by its interval, next 2026-11-20T23:00:00Z
        """)
  }

  @Test mutating func `a lane keeps its gap`() throws {
    gap = .seconds(10)
    let jobs = try (0..<4).map { try job("job\($0)", "1d", host: "one.example") }
    let runs = runs(jobs)
    #expect(
      runs.map { ($0.startedAt - Self.start).wholeMilliseconds } == [0, 10_000, 20_000, 30_000])
    #expect(runs.map(\.waited) == [.zero, .seconds(10), .seconds(20), .seconds(30)])
    #expect(
      runs[3].waitedFor?.sentence(now: Self.start)
        == "requests to one.example are at least 10s apart; the next is possible at "
        + "2026-11-20T10:00:30Z (in 30s)")
  }

  @Test mutating func `a spent budget lets jobs wait until it is refilled`() throws {
    limits.requests = [Rate(amount: 60, period: .hour)]
    let jobs = try (0..<8).map { try job("job\($0)", "1d") }
    let runs = runs(jobs)
    #expect(
      runs.map { ($0.startedAt - Self.start).wholeMilliseconds / 1000 } == [
        0, 0, 0, 62, 124, 186, 248, 310,
      ])
    #expect(
      runs.last?.waitedFor?.sentence(now: Self.start)
        == "the budget of 60 requests an hour has too little left until 2026-11-20T10:05:11Z (in 5m11s)"
    )
  }

  // MARK: Determinism

  @Test mutating func `the same inputs give the same runs`() throws {
    limits.requests = [Rate(amount: 40, period: .hour)]
    plan.failures = [
      try SimulatedFailure(parsing: "job3=500"), try SimulatedFailure(parsing: "job4=429:1h@2h+2h"),
    ]
    plan.offline = try SimulatedStretch(parsing: "2h")
    let intervals = ["adaptive", "20m", "0 */2 * * *", "adaptive", "1h"]
    let jobs = try (0..<25).map {
      try job("job\($0)", intervals[$0 % 5], host: "host\($0 % 7).example")
    }
    let first = runs(jobs)
    #expect(first == runs(jobs))
    #expect(first.count > 100)
    let times = first.map(\.startedAt)
    #expect(times == times.sorted())
  }

  @Test func `the items of a simulated source depend only on the job's name`() throws {
    let alone = runs([try job("a", "1h")])
    let together = runs([try job("a", "1h"), try job("b", "10m")])
    #expect(alone == together.filter { $0.job == "a" })
  }

  @Test func `the simulation begins with the stored memory`() throws {
    var schedule = JobSchedule()
    schedule.dueAt = Self.start + .seconds(7200)
    schedule.dueReason = .interval
    schedule.lastStartAt = Self.start
    schedule.runCount = 7
    var paused = JobSchedule()
    paused.pausedAt = Self.start
    let jobs = [try job("a", "3h"), try job("b", "3h")]
    var simulation = simulation(jobs, remembered: ["a": schedule, "b": paused])
    var runs: [SimulatedRun] = []
    simulation.run { runs.append($0) }
    #expect(starts("a", runs).first == 7200)
    #expect(starts("b", runs) == [])
    #expect(simulation.waitReason("b") == .paused(since: Self.start, .person))
  }

  @Test mutating func `410 pauses a job, with a notice`() throws {
    plan.failures = [try SimulatedFailure(parsing: "a=410")]
    let runs = runs([try job("a", "1h")])
    #expect(runs.map(\.nextDueAt) == [nil])
    #expect(runs.map(\.notices) == [[.gone]])
  }

  @Test mutating func `the summary lists runs, waits, the budget and jobs that never ran`() throws {
    limits.requests = [Rate(amount: 60, period: .hour)]
    plan.failures = [try SimulatedFailure(parsing: "b=500@5h+2h")]
    var simulation = simulation(
      [try job("a", "6h"), try job("b", "6h", host: "a.example"), try job("hand", "never")])
    var summary = SimulationSummary()
    simulation.run { summary.count($0) }
    #expect(
      summary.text(simulation) == """
        3 jobs, 12 runs (7 newData, 1 noData, 4 failed), 12 requests, from 2026-11-20T10:00:00Z \
        to 2026-11-21T10:00:00Z
        a: 4 runs (3 newData, 1 noData, 0 failed), 4 requests
        b: 8 runs (4 newData, 0 noData, 4 failed), 8 requests
        hand: no run: its interval is never: it runs only when triggered
        notice: b at 2026-11-20T16:23:06Z: it failed 3 times in a row
        notice: b at 2026-11-20T18:00:44Z: it works again after 4 failures
        spent: requests 12, bytes 600.0 kB, CPU time 240ms, run time 12s
        budget: requests: 3 available (at most 3), 60 an hour, 1 % used
        longest wait: b waited 1s until 2026-11-20T10:00:01Z: a.example is busy with 1 other run \
        (at most 1 at a time)
        """)
  }

  @Test func `a simulated run has one line of JSON`() throws {
    let run = try #require(runs([try job("a \"b\"", "6h", host: "a.example")]).first)
    let json = run.json
    #expect(
      json == #"""
        {"startedAt":"2026-11-20T10:00:00.000Z","job":"a \"b\"","outcome":"newData","added":19,\#
        "failure":null,"dueAt":"2026-11-20T10:00:00.000Z","why":"for its first run",\#
        "waitedSeconds":0,"waitedFor":null,"requests":1,"nextDueAt":"2026-11-20T16:00:00.000Z"}
        """#)
  }
}
