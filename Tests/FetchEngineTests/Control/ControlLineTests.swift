import FetchEngine
import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the lines in which a running daemon answers about its jobs. Lines are encoded as values
/// and read back.
@Suite struct ControlLineTests {
  private static let start = Timestamp(rfc3339: "2026-11-20T10:00:00Z")!

  private static func scheduler(_ limits: BudgetLimits = BudgetLimits()) -> Scheduler {
    Scheduler(budget: Budget(limits, now: start), now: start)
  }

  private static func add(_ name: String, to scheduler: inout Scheduler) -> JobNumber {
    scheduler.add(
      ScheduledJob(name: JobName(name), interval: .every(.seconds(900)), hostname: "example.org"),
      now: start)
  }

  private func line(_ job: JobNumber, _ scheduler: Scheduler, after seconds: Int64) throws
    -> StatusLine
  {
    let line = StatusLine(job, in: scheduler, now: Self.start + .seconds(seconds))
    #expect(StatusLine(line.value) == line)
    return line
  }

  @Test func `the status of a job follows its states`() throws {
    var scheduler = Self.scheduler()
    let job = Self.add("a", to: &scheduler)
    let new = try line(job, scheduler, after: 0)
    #expect(new.state == "waiting")
    #expect(new.lastOutcome == nil)
    #expect(new.nextDueAt == Self.start)
    #expect(new.why == "it is due and can start now")
    #expect(new.lane == "example.org")

    _ = scheduler.due(now: Self.start)
    let running = try line(job, scheduler, after: 1)
    #expect(running.state == "running")
    #expect(running.nextDueAt == nil)
    #expect(running.why == "it has been running since 2026-11-20T10:00:00Z")

    scheduler.ended(job, RunSummary(.newData), now: Self.start + .seconds(2))
    let done = try line(job, scheduler, after: 10)
    #expect(done.state == "scheduled")
    #expect(done.lastOutcome == "newData")
    #expect(done.lastSuccessAt == Self.start + .seconds(2))
    #expect(done.lastNewDataAt == Self.start + .seconds(2))
    #expect(done.nextDueAt == Self.start + .seconds(900))
    #expect(done.why == "it is due at 2026-11-20T10:15:00Z (in 14m50s) by its interval")

    _ = scheduler.due(now: Self.start + .seconds(900))
    scheduler.ended(job, RunSummary(.failed(.httpStatus)), now: Self.start + .seconds(901))
    let failed = try line(job, scheduler, after: 901)
    #expect(failed.state == "backOff")
    #expect(failed.lastOutcome == "failed")
    #expect(failed.failures == 1)
    #expect(failed.lastNewDataAt == done.lastNewDataAt)

    scheduler.pause(job, now: Self.start + .seconds(902))
    let paused = try line(job, scheduler, after: 903)
    #expect(paused.state == "paused")
    #expect(paused.nextDueAt == nil)
    #expect(paused.why == "it has been paused since 2026-11-20T10:15:02Z")
    #expect(paused.pausedAt == Self.start + .seconds(902))
  }

  @Test func `a pause of all jobs is not a pause of the job itself`() throws {
    var scheduler = Self.scheduler()
    let job = Self.add("a", to: &scheduler)
    scheduler.pauseAll(now: Self.start)
    let status = try line(job, scheduler, after: 1)
    #expect(status.state == "paused")
    #expect(status.pausedAt == nil)
  }

  @Test func `the JSON of a status line`() throws {
    var scheduler = Self.scheduler()
    var never = ScheduledJob(name: "b", interval: .never)
    never.isEnabled = true
    let job = scheduler.add(never, now: Self.start)
    let text = try JSONWriter.text(StatusLine(job, in: scheduler, now: Self.start).value)
    #expect(
      text == """
        {"job":"b","state":"idle","lastOutcome":null,"lastSuccessAt":null,"lastNewDataAt":null,\
        "nextDueAt":null,"why":"its interval is never: it runs only when triggered",\
        "failures":0,"lane":null,"dueReasons":[],"waiting":null,"isHeld":false,\
        "pausedAt":null}
        """)
  }

  @Test func `a job is explained in sentences`() throws {
    var scheduler = Self.scheduler()
    let job = Self.add("a", to: &scheduler)
    let lines = ExplainLine.all(job, in: scheduler, now: Self.start)
    #expect(
      lines.map(\.sentence) == ["a waits: it is due and can start now.", "It has never run."])
    #expect(lines.allSatisfy { ExplainLine($0.value) == $0 })
  }

  @Test func `status and the first explained sentence list the reasons of a due time`() throws {
    var scheduler = Self.scheduler()
    let job = Self.add("a", to: &scheduler)
    _ = scheduler.due(now: Self.start)
    var summary = RunSummary(.newData)
    summary.hints.feed.ttl = .seconds(3600)
    scheduler.ended(job, summary, now: Self.start + .seconds(2))
    let reasons = """
      "dueReasons":[{"at":"2026-11-20T10:15:00Z","reason":"interval"},\
      {"at":"2026-11-20T11:00:02Z","reason":"ttl"}]}
      """
    let status = try line(job, scheduler, after: 10)
    let end = ",\"waiting\":null,\"isHeld\":false,\"pausedAt\":null}"
    #expect(try JSONWriter.text(status.value).contains(reasons.dropLast() + end))
    let lines = ExplainLine.all(job, in: scheduler, now: Self.start + .seconds(10))
    let gates = ",\"gates\":[{\"gate\":\"enabled\",\"isOpen\":true,\"why\":null},"
    #expect(try JSONWriter.text(lines[0].value).contains(reasons.dropLast() + gates))
    #expect(lines.dropFirst().allSatisfy { $0.dueReasons == nil })
    #expect(lines.allSatisfy { ExplainLine($0.value) == $0 })
  }

  @Test func `a push is answered with its result and the reason`() throws {
    var scheduler = Self.scheduler()
    let job = Self.add("a", to: &scheduler)
    _ = scheduler.due(now: Self.start)
    let waits = TriggerLine(
      job: "a", scheduler.trigger(job, .push, now: Self.start), now: Self.start)
    #expect(waits.answer == .waits)
    #expect(waits.why == "it has been running since 2026-11-20T10:00:00Z")
    scheduler.pauseAll(now: Self.start)
    let skipped = TriggerLine(
      job: "a", scheduler.trigger(job, .push, now: Self.start), now: Self.start)
    #expect(skipped.answer == .skipped)
    #expect(skipped.why == "all jobs were paused at 2026-11-20T10:00:00Z")
    for line in [waits, skipped, TriggerLine(job: "b", .due, now: Self.start)] {
      #expect(TriggerLine(line.value) == line)
    }
  }

  @Test func `the budget has one row per limit`() throws {
    var limits = BudgetLimits()
    limits.runsAtOnceMax = 8
    limits.requests = [Rate(amount: 600, period: .hour)]
    var budget = Budget(limits, now: Self.start)
    budget.reserve(RunCost(requests: 10), now: Self.start)
    let lines = LedgerLine.all(budget, now: Self.start)
    #expect(lines.map(\.resource) == ["runsAtOnce", "requests", "bytes", "cpu", "runTime"])
    #expect(
      try lines.map { try JSONWriter.text($0.value) } == [
        """
        {"resource":"runsAtOnce","limit":8,"period":null,"burst":8,"available":7,"used":1,\
        "spent":null,"job":null}
        """,
        """
        {"resource":"requests","limit":600,"period":"h","burst":30,"available":20,"used":10,\
        "spent":0,"job":null}
        """,
      ]
        + ["bytes", "cpu", "runTime"].map {
          #"{"resource":"\#($0)","limit":null,"period":null,"burst":null,"available":null,"#
            + #""used":null,"spent":0,"job":null}"#
        })
    for line in lines { #expect(LedgerLine(line.value) == line) }
  }

  @Test func `a job's own budget has rows after the budget of all jobs`() throws {
    var scheduler = Self.scheduler()
    var job = ScheduledJob(name: "b", interval: .never)
    job.budget.requests = [Rate(amount: 100, period: .hour)]
    job.budget.bytes = [Rate(amount: 2_000_000, period: .day)]
    scheduler.add(job, now: Self.start)
    let lines = LedgerLine.all(scheduler, now: Self.start)
    #expect(lines.map(\.job) == [nil, nil, nil, nil, nil, "b", "b"])
    #expect(
      try lines.suffix(2).map { try JSONWriter.text($0.value) } == [
        """
        {"resource":"requests","limit":100,"period":"h","burst":5,"available":5,"used":0,\
        "spent":0,"job":"b"}
        """,
        """
        {"resource":"bytes","limit":2000000,"period":"d","burst":100000,"available":100000,\
        "used":0,"spent":0,"job":"b"}
        """,
      ])
    for line in lines { #expect(LedgerLine(line.value) == line) }
  }

  @Test func `pausing reports the job's new state`() {
    for line in [
      PauseLine(job: "a", isPaused: true, isChanged: true),
      PauseLine(job: nil, isPaused: false, isChanged: false),
    ] { #expect(PauseLine(line.value) == line) }
  }

  @Test(arguments: [.null, ["job": 1], [1, 2], "text"] as [Value])
  func `a line of another version is rejected without a trap`(value: Value) {
    #expect(StatusLine(value) == nil)
    #expect(ExplainLine(value) == nil)
    #expect(TriggerLine(value) == nil)
    #expect(PauseLine(value) == nil)
    #expect(LedgerLine(value) == nil)
  }

  @Test(
    arguments: [
      (RunWait.turn, "waiting for the end of another run of the job for 1m5s"),
      (.worker, "waiting for a worker for 1m5s (the worker is starting)"),
      (.lane("h.test"), "waiting for its turn at h.test for 1m5s"),
      (.answer("h.test"), "waiting for an answer from h.test for 1m5s"),
    ])
  func `a run under way reports what it waits for`(wait: RunWait, clause: String) {
    let line = WaitLine(wait, since: Self.start)
    let now = Self.start + .seconds(65)
    #expect(line.clause(now: now) == clause)
    #expect(line.sentence(now: now).hasPrefix("Its run has been \(clause)"))
    #expect(WaitLine(line.value) == line)
  }

  @Test func `a run that waits at a closed hostname reports the end of the cooldown`() {
    var line = WaitLine(.lane("h.test"), since: Self.start)
    line.closedUntil = Timestamp(milliseconds: Self.start.milliseconds + 119_001)
    let now = Self.start + .seconds(65)
    let clause = "waiting for 1m5s because h.test gets no requests until 2026-11-20T10:02:00Z"
    #expect(line.clause(now: now) == clause)
    #expect(
      line.sentence(now: now)
        == "Its run has been \(clause). The waiting time does not count against the run's window,"
        + " up to the run's limit `waiting`.")
  }

  @Test func `a run that waits for a worker reports how many workers are busy`() {
    var line = WaitLine(.worker, since: Self.start)
    (line.busyCount, line.workersMax) = (4, 4)
    #expect(line.clause(now: Self.start) == "waiting for a worker for 0s (4 of 4 are busy)")
    #expect(WaitLine(["for": "answer", "since": "2026-11-20T00:00:00Z"]) == nil)
  }
}
