import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the gates of a job, of expected runs and of the lanes.
@Suite struct GateTests {
  private let start = Timestamp(rfc3339: "2026-11-20T10:00:00Z")!

  private func scheduler(_ limits: BudgetLimits = BudgetLimits()) -> Scheduler {
    Scheduler(budget: Budget(limits, now: start), now: start)
  }

  private func closed(
    _ job: JobNumber, _ scheduler: Scheduler, after seconds: Int64 = 0
  ) -> [String] {
    let now = start + .seconds(seconds)
    return scheduler.gates(of: job, now: now).compactMap { gate in
      gate.sentence(now: now).map { "\(gate.kind.rawValue): \($0)" }
    }
  }

  @Test func `a new job passes all gates, in the order of the checks`() {
    var scheduler = scheduler()
    let job = scheduler.add(
      ScheduledJob(name: "a", interval: .every(.seconds(900)), hostname: "a.test"), now: start)
    let gates = scheduler.gates(of: job, now: start)
    #expect(gates.map(\.kind) == Gate.Kind.allCases)
    #expect(!gates.contains { !$0.isOpen })
    _ = scheduler.due(now: start)
    #expect(closed(job, scheduler).isEmpty)
  }

  @Test func `each closed gate has its own sentence`() {
    var limits = BudgetLimits()
    limits.runsAtOnceMax = 1
    var scheduler = scheduler(limits)
    var job = ScheduledJob(name: "a", interval: .every(.seconds(900)), hostname: "a.test")
    job.conditions.needsACPower = true
    let number = scheduler.add(job, now: start)
    _ = scheduler.add(ScheduledJob(name: "b", interval: .every(.seconds(900))), now: start)
    scheduler.close("a.test", until: start + .seconds(600), now: start)
    var machine = MachineState()
    machine.isOnACPower = false
    scheduler.setConditions(machine, now: start)
    scheduler.setOnline(false, now: start)
    _ = scheduler.due(now: start)
    scheduler.pause(number, now: start)
    #expect(
      closed(number, scheduler) == [
        "pause: it has been paused since 2026-11-20T10:00:00Z",
        "network: this machine has been offline since 2026-11-20T10:00:00Z",
        "conditions: it runs only on mains power, but this machine is on battery",
        "lane: a.test gets no requests until 2026-11-20T10:10:00Z (in 10m) because it sent"
          + " Retry-After",
        "budget: the limit of 1 concurrent run is reached",
      ])
  }

  @Test func `a due time that was moved closes the gate of each reason until its own time`() {
    var scheduler = scheduler()
    let job = scheduler.add(
      ScheduledJob(name: "a", interval: .adaptive, hostname: "a.test"), now: start)
    _ = scheduler.due(now: start)
    let planned = PlannedTime(
      dueAt: start + .seconds(1800), hint: .ttl, chosenAt: start + .seconds(720))
    scheduler.ended(job, RunSummary(.noData), planned: planned, now: start + .seconds(1))
    #expect(
      closed(job, scheduler, after: 60) == [
        "due: it is due at 2026-11-20T10:12:00Z (in 11m) by its learned schedule",
        "hints: it is due at 2026-11-20T10:30:00Z (in 29m) because of the feed's ttl",
      ])
    #expect(closed(job, scheduler, after: 900).map { $0.prefix(5) } == ["hints"])
    #expect(closed(job, scheduler, after: 1800).isEmpty)
  }

  @Test func `jobs without a time, or that failed, are not due`() {
    var scheduler = scheduler()
    let never = scheduler.add(ScheduledJob(name: "never", interval: .never), now: start)
    #expect(
      closed(never, scheduler) == ["due: its interval is never: it runs only when triggered"])
    var off = ScheduledJob(name: "off", interval: .every(.seconds(60)))
    off.isEnabled = false
    let disabled = scheduler.add(off, now: start)
    #expect(closed(disabled, scheduler).first == "enabled: it is disabled in the config")
    let failing = scheduler.add(
      ScheduledJob(name: "failing", interval: .every(.seconds(60))), now: start)
    _ = scheduler.due(now: start)
    scheduler.ended(failing, RunSummary(.failed(.pluginError)), now: start)
    #expect(closed(failing, scheduler).first?.hasPrefix("due: failed once; next try") == true)
  }

  @Test func `a push that is kept until the run times begin closes only their gate`() throws {
    var scheduler = scheduler()
    var job = ScheduledJob(name: "a", interval: .never)
    job.runTimes = RunTimes(windows: [try DayWindow(parsing: "12:00-14:00")], zone: .utc)
    let number = scheduler.add(job, now: start)
    let opening = start + .seconds(7200)
    #expect(
      scheduler.trigger(number, .push, now: start) == .waits(.outsideRunTimes(until: opening)))
    #expect(
      closed(number, scheduler) == [
        "runTimes: its run times begin again at 2026-11-20T12:00:00Z (in 2h)"
      ])
  }

  @Test func `inside its run times, a job whose due time moved to the next ones is not due`()
    throws
  {
    var scheduler = scheduler()
    var job = ScheduledJob(name: "a", interval: .every(.seconds(3 * 3600)))
    job.runTimes = RunTimes(windows: [try DayWindow(parsing: "10:00-12:00")], zone: .utc)
    let number = scheduler.add(job, now: start)
    _ = scheduler.due(now: start)
    scheduler.ended(number, RunSummary(.noData), now: start)
    let opening = start + .seconds(86_400)
    let reason = WaitReason.notDue(until: opening, .runTimes)
    #expect(closed(number, scheduler) == ["due: \(reason.sentence(now: start))"])
  }

  // MARK: Expected runs

  private func expected(
    _ job: JobNumber, _ scheduler: Scheduler, hours: Int64 = 1, pace: Duration? = nil,
    max: Int = 100, after seconds: Int64 = 0
  ) -> [String] {
    let now = start + .seconds(seconds)
    return scheduler.expectedRuns(
      of: job, until: start + .seconds(hours * 3600), pace: pace, max: max, now: now
    ).map { "\(($0.at - start).wholeMilliseconds / 60_000)\($0.isExact ? "!" : "")" }
  }

  @Test func `only the next time is exact`() {
    var scheduler = scheduler()
    let job = scheduler.add(
      ScheduledJob(name: "a", interval: .every(.seconds(900))), now: start)
    #expect(expected(job, scheduler) == ["0!", "15", "30", "45"])
    #expect(expected(job, scheduler, max: 2) == ["0!", "15"])
    #expect(expected(job, scheduler, max: -1).isEmpty)
    _ = scheduler.due(now: start)
    #expect(expected(job, scheduler, after: 60) == ["15", "30", "45"])
    #expect(expected(job, scheduler, hours: 2, after: 3_000).first == "50")
    scheduler.ended(job, RunSummary(.noData), now: start + .seconds(1))
    #expect(expected(job, scheduler, after: 60) == ["15!", "30", "45"])
    scheduler.pause(job, now: start)
    #expect(expected(job, scheduler).isEmpty)
  }

  @Test func `expected times follow the pace of an adaptive job, run times and cron lines`() throws
  {
    var scheduler = scheduler()
    var job = ScheduledJob(name: "a", interval: .adaptive)
    let adaptive = scheduler.add(job, now: start)
    #expect(expected(adaptive, scheduler, hours: 3) == ["0!", "60", "120"])
    #expect(expected(adaptive, scheduler, pace: .seconds(1200)) == ["0!", "20", "40"])
    job = ScheduledJob(name: "b", interval: .every(.seconds(3600)))
    job.runTimes = RunTimes(windows: [try DayWindow(parsing: "10:00-12:00")], zone: .utc)
    let limited = scheduler.add(job, now: start)
    #expect(expected(limited, scheduler, hours: 26) == ["0!", "60", "1440", "1500"])
    let never = scheduler.add(ScheduledJob(name: "c", interval: .never), now: start)
    #expect(expected(never, scheduler).isEmpty)
  }

  // MARK: Lanes

  @Test func `lanes in use or closed are listed by name`() {
    var scheduler = scheduler()
    for (name, hostname) in [("b", "b.test"), ("a", "a.test"), ("c", "a.test")] {
      scheduler.add(
        ScheduledJob(name: JobName(name), interval: .every(.seconds(900)), hostname: hostname),
        now: start)
    }
    #expect(scheduler.laneStates(now: start).isEmpty)
    _ = scheduler.due(now: start)
    scheduler.close("z.test", until: start + .seconds(60), now: start)
    let lanes = scheduler.laneStates(now: start)
    #expect(lanes.map(\.hostname) == ["a.test", "b.test", "z.test"])
    #expect(lanes.map(\.runningCount) == [1, 1, 0])
    #expect(lanes.map(\.waitingCount) == [1, 0, 0])
    #expect(lanes[2].why == "it sent Retry-After" && lanes[2].closedUntil != nil)
    #expect(scheduler.laneCounts(now: start) == (closed: 1, waiting: 1))
    #expect(scheduler.laneStates(now: start + .seconds(61)).count == 2)
  }
}
