import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

/// Tests with a clock that was wrong and is corrected.
@Suite struct ClockTests {
  private static let year: Duration = .seconds(365 * 86_400)

  private func interval(_ text: String) throws -> Interval { try Interval(parsing: text) }

  @Test(arguments: ["15m", "adaptive"])
  func `a wait does not become longer if the clock is set back`(text: String) throws {
    var rig = SchedulerRig()
    let job = rig.add("a", try interval(text))
    let due = try #require(rig.run(job).dueAt)
    let wait = due - rig.now
    rig.advance(.zero - Self.year)
    #expect(rig.due() == [])
    #expect(rig.scheduler.nextWake == rig.now + wait)
    #expect(rig.wake() == ["a"])
    #expect(rig.now == due + (.zero - Self.year))
  }

  @Test func `the waits of back-off, lanes and the budget stay the same if the clock is set back`()
    throws
  {
    var limits = BudgetLimits()
    limits.requests = [Rate(amount: 1, period: .hour)]
    var rig = SchedulerRig(limits)
    let failing = rig.add("failing", host: "a.example")
    #expect(rig.due() == ["failing"])
    var summary = RunSummary(.failed(.httpStatus))
    summary.retryAfter = rig.now + .seconds(7200)
    #expect(
      rig.scheduler.ended(failing, summary, now: rig.now).dueAt == rig.now + .seconds(7200))
    let other = rig.add("other", host: "b.example")
    #expect(rig.due() == [])
    #expect(rig.why(other).until == rig.now + .seconds(3600))
    rig.advance(.zero - Self.year)
    #expect(rig.due() == [])
    #expect(rig.why(other).until == rig.now + .seconds(3600))
    #expect(
      rig.scheduler.closedUntil("a.example", now: rig.now) == rig.now + .seconds(7200))
    #expect(rig.wake() == ["other"])
    rig.scheduler.ended(other, RunSummary(.noData), now: rig.now)
    rig.advance(.seconds(3600))
    #expect(rig.due().first == "failing")
  }

  @Test func `cron lines and run times follow the present clock`() throws {
    var rig = SchedulerRig()
    let cron = rig.add("cron", try interval("0 12 * * *"))
    let windows = [try DayWindow(parsing: "22:00-23:00")]
    let night = rig.add("night", .every(.seconds(900)), host: "b.example") { job in
      job.runTimes = RunTimes(windows: windows, zone: .utc)
    }
    #expect(rig.due() == [])
    // The corrected time is 8:30, not 10:00 of the next month.
    rig.advance(.seconds(30 * 86_400))
    #expect(rig.due() == ["cron"])
    rig.scheduler.ended(cron, RunSummary(.noData), now: rig.now)
    rig.advance(.seconds(-30 * 86_400 - 5400))
    #expect(rig.due() == [])
    let day = SchedulerRig.start + .seconds(-36_000)
    #expect(rig.scheduler.schedule(of: cron).dueAt == day + .seconds(12 * 3600))
    #expect(rig.scheduler.schedule(of: night).dueAt == day + .seconds(22 * 3600))
  }

  @Test func `a clock that goes back by less than a minute counts as stopped`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job)
    let due = rig.scheduler.nextWake
    rig.advance(.seconds(-59))
    #expect(rig.due() == [])
    #expect(rig.scheduler.nextWake == due)
  }

  @Test func `times that a wrong clock has stored are corrected`() throws {
    var rig = SchedulerRig()
    let first = rig.add("a", .adaptive)
    rig.run(first, .failed(.httpStatus))
    let remembered = rig.scheduler.schedule(of: first)
    let wait = try #require(remembered.dueAt) - rig.now
    var later = SchedulerRig()
    later.advance(.zero - Self.year)
    later.scheduler = Scheduler(budget: Budget(now: later.now), now: later.now)
    let job = later.add("a", .adaptive, remembered)
    let schedule = later.scheduler.schedule(of: job)
    #expect(schedule.dueAt == later.now + wait)
    #expect(schedule.lastStartAt == later.now)
    #expect(schedule.failingSince == remembered.failingSince)
  }

  @Test func `a start with a clock in 1970 keeps a job's history`() throws {
    var rig = SchedulerRig()
    let first = rig.add("a")
    rig.run(first, .newData)
    rig.advance(.seconds(900))
    rig.run(first, .failed(.httpStatus))
    let remembered = rig.scheduler.schedule(of: first)
    var later = SchedulerRig()
    later.now = Timestamp(seconds: 100)
    later.scheduler = Scheduler(budget: Budget(now: later.now), now: later.now)
    let job = later.add("a", .every(.seconds(900)), remembered)
    _ = later.wake()
    later.scheduler.ended(job, RunSummary(.failed(.httpStatus)), now: later.now)
    later.now = rig.now + .seconds(3600)
    _ = later.wake()
    later.scheduler.ended(job, RunSummary(.failed(.httpStatus)), now: later.now)
    let schedule = later.scheduler.schedule(of: job)
    #expect(schedule.lastSuccessAt == SchedulerRig.start)
    #expect(schedule.lastNewDataAt == SchedulerRig.start)
    #expect(schedule.failingSince == rig.now)
    // A job that had failed since 1970 would be tried only once a week.
    #expect(schedule.dueReason == .backOff(3))
    #expect(try #require(schedule.dueAt) - later.now <= .seconds(2400))
  }

  @Test func `a due time by run times that are no longer configured keeps its distance`() {
    var rig = SchedulerRig()
    var schedule = JobSchedule()
    schedule.lastStartAt = rig.now
    schedule.dueAt = rig.now + .seconds(3600)
    schedule.dueReason = .runTimes
    let job = rig.add("a", .every(.seconds(900)), schedule)
    rig.advance(.zero - Self.year)
    #expect(rig.due() == [])
    #expect(rig.scheduler.schedule(of: job).dueAt == rig.now + .seconds(3600))
  }

  @Test func `a pause from before a restart does not change the clock`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    let due = rig.run(job).dueAt
    rig.scheduler.pauseAll(since: rig.now + .seconds(-86_400))
    #expect(rig.scheduler.pausedSince == rig.now + .seconds(-86_400))
    #expect(rig.scheduler.schedule(of: job).dueAt == due)
  }
}
