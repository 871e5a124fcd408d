import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct DueTimeTests {
  private func schedule(dueAgo seconds: Int, _ rig: SchedulerRig) -> JobSchedule {
    var schedule = JobSchedule()
    schedule.dueAt = rig.now + .seconds(-seconds)
    schedule.dueReason = .interval
    schedule.lastStartAt = min(schedule.dueAt ?? rig.now, rig.now) + .seconds(-900)
    schedule.runCount = 7
    return schedule
  }

  @Test func `after downtime, one run stands for all missed times`() {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil, schedule(dueAgo: 86_400, rig))
    #expect(rig.run(job).dueAt == rig.now + .seconds(900))
  }

  @Test func `with catch_up none, a missed time is skipped, and the skip is recorded`() {
    var rig = SchedulerRig()
    let missed = rig.now + .seconds(-86_400)
    let job = rig.add("a", host: nil, schedule(dueAgo: 86_400, rig)) { $0.catchUp = .none }
    #expect(rig.due() == [])
    #expect(rig.scheduler.takeSkips() == [Skip(job: job, at: rig.now, reason: .missed(missed))])
    #expect(rig.why(job) == .notDue(until: rig.now + .seconds(900), .interval))
    #expect(rig.wake() == ["a"])
  }

  @Test func `with catch_up all, each missed time gets a run`() {
    var rig = SchedulerRig()
    // The job was due at -3600, -2700, -1800, -900 and now.
    let job = rig.add("a", host: nil, schedule(dueAgo: 3600, rig)) { $0.catchUp = .all }
    var runs = 0
    while !rig.due().isEmpty {
      runs += 1
      rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    }
    #expect(runs == 5)
    #expect(rig.scheduler.schedule(of: job).dueAt == rig.now + .seconds(900))
  }

  /// Runs a job as long as the job is immediately due. Returns the number of runs.
  private func row(_ job: JobNumber, _ rig: inout SchedulerRig) -> Int {
    var runs = 0
    while runs < 1000, !rig.due().isEmpty {
      runs += 1
      rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    }
    return runs
  }

  @Test
  func `with catch_up all, a year of missed times gives a hundred runs, and the rest is recorded`()
  {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil, schedule(dueAgo: 366 * 86_400, rig)) { $0.catchUp = .all }
    #expect(row(job, &rig) == CatchUp.runsMax)
    #expect(
      rig.scheduler.takeSkips() == [
        Skip(job: job, at: rig.now, reason: .leftOut(1000, orMore: true))
      ])
    #expect(rig.why(job) == .notDue(until: rig.now + .seconds(900), .interval))
    // Another downtime gives another series of runs.
    rig.advance(.seconds(900 + 3600))
    #expect(row(job, &rig) == 5)
    #expect(rig.scheduler.takeSkips() == [])
  }

  @Test func `with catch_up all the remaining times are counted`() throws {
    var rig = SchedulerRig()
    // The job was due 110 times, the last time now.
    let every = rig.add("a", host: nil, schedule(dueAgo: 109 * 900, rig)) { $0.catchUp = .all }
    #expect(row(every, &rig) == 100)
    let line = Interval.cron(try CronLine(parsing: "*/15 * * * *"))
    let morning = try DayWindow(parsing: "06:00-11:00")
    let weekdays = try Weekdays(parsing: "daily")
    let cron = rig.add("b", line, host: nil, schedule(dueAgo: 5 * 86_400, rig)) {
      $0.catchUp = .all
      $0.runTimes = RunTimes(windows: [morning], days: weekdays, zone: .utc)
    }
    // The job was due 20 times on each of 5 days, and 17 times on the first and last day.
    #expect(row(cron, &rig) == 100)
    #expect(
      rig.scheduler.takeSkips().map(\.reason) == [
        .leftOut(10, orMore: false), .leftOut(1, orMore: false),
      ])
  }

  @Test func `with catch_up all, the missed times of a short interval also get a run each`() {
    var rig = SchedulerRig()
    // The job was due at -65, -55, ..., -5.
    let job = rig.add("a", .every(.seconds(10)), host: nil, schedule(dueAgo: 65, rig)) {
      $0.catchUp = .all
    }
    #expect(row(job, &rig) == 7)
    #expect(rig.why(job) == .notDue(until: rig.now + .seconds(5), .interval))
    #expect(rig.scheduler.takeSkips() == [])
    // The time was not missed: the run is only late.
    rig.advance(.seconds(35))
    #expect(row(job, &rig) == 1)
  }

  @Test func `with catch_up all, a failure ends the series of runs, and the rest is recorded`() {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil, schedule(dueAgo: 3600, rig)) { $0.catchUp = .all }
    rig.run(job)
    rig.run(job, .failed(.httpStatus))
    #expect(
      rig.scheduler.takeSkips() == [
        Skip(job: job, at: rig.now, reason: .leftOut(3, orMore: false))
      ])
    #expect(rig.due() == [])
  }

  @Test func `with catch_up staggered, missed jobs are spread out`() {
    var rig = SchedulerRig()
    for index in 0..<200 {
      rig.add("job\(index)", host: nil, schedule(dueAgo: 7200, rig)) { $0.catchUp = .staggered }
    }
    #expect(rig.due() == [])
    var most = 0
    var runs = 0
    while rig.scheduler.nextWake != nil {
      let started = rig.wake()
      most = max(most, started.count)
      runs += started.count
    }
    #expect(runs == 200)
    #expect(most < 5)
  }

  @Test func `a new job runs immediately, and a job with a cron line at its time`() throws {
    var rig = SchedulerRig()
    rig.add("a", .adaptive, host: nil)
    let cron = rig.add("b", .cron(try CronLine(parsing: "30 10 * * *")), host: nil)
    #expect(rig.due() == ["a"])
    #expect(rig.why(cron) == .notDue(until: rig.now + .seconds(1800), .cron))
  }

  @Test
  func `a shorter interval applies even if it was configured while no process served the job`()
    throws
  {
    var rig = SchedulerRig()
    let weekly = schedule(dueAgo: -7 * 86_400, rig)
    let fast = rig.add("a", .every(.seconds(300)), host: nil, weekly)
    #expect(rig.why(fast) == .notDue(until: rig.now + .seconds(300), .interval))
    let learned = rig.add("b", .adaptive, host: nil, weekly)
    #expect(rig.why(learned) == .notDue(until: rig.now + .seconds(3600), .adaptive))
    let cron = rig.add("c", .cron(try CronLine(parsing: "30 10 * * *")), host: nil, weekly)
    #expect(rig.why(cron) == .notDue(until: rig.now + .seconds(1800), .cron))
    let never = rig.add("d", .never, host: nil, weekly)
    #expect(rig.why(never) == .noInterval)
    // A longer interval applies after the next run, and a learned schedule keeps its own time.
    let slow = rig.add("e", .every(.seconds(86_400)), host: nil, schedule(dueAgo: -60, rig))
    #expect(rig.why(slow) == .notDue(until: rig.now + .seconds(60), .interval))
    var own = schedule(dueAgo: -20 * 3600, rig)
    own.dueReason = .adaptive
    let still = rig.add("f", .adaptive, host: nil, own)
    #expect(rig.why(still) == .notDue(until: rig.now + .seconds(20 * 3600), .adaptive))
    // A learned time of a job that is no longer adaptive is shortened, whatever rule set it.
    for (name, reason) in [("h", DueReason.adaptive), ("i", .learned(.intervalMax))] {
      own.dueReason = reason
      let fixed = rig.add(name, .every(.seconds(300)), host: nil, own)
      #expect(rig.why(fixed) == .notDue(until: rig.now + .seconds(300), .interval))
    }
    // The time of a back-off is not shortened.
    var failing = weekly
    failing.dueReason = .backOff(1)
    let patient = rig.add("g", .every(.seconds(300)), host: nil, failing)
    #expect(rig.why(patient) == .backOff(failures: 1, until: rig.now + .seconds(7 * 86_400)))
  }

  @Test func `a failing job is not retried after its interval becomes never`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.pluginError))
    rig.scheduler.update(SchedulerRig.job("a", .never), now: rig.now)
    #expect(rig.why(job) == .noInterval)
    #expect(rig.scheduler.nextWake == nil)
  }

  @Test func `a failing job without a due time gets one when it gets an interval`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .never)
    _ = rig.scheduler.trigger(job, .manual, now: rig.now)
    rig.run(job, .failed(.pluginError))
    rig.scheduler.update(SchedulerRig.job("a"), now: rig.now)
    #expect(rig.why(job).until == rig.now + .seconds(900))
    rig.advance(.seconds(900))
    #expect(rig.due() == ["a"])
  }

  @Test func `jitter is added to the interval, each time the same`() {
    var due: Set<Timestamp> = []
    for _ in 0..<2 {
      var rig = SchedulerRig()
      for index in 0..<50 {
        let job = rig.add("job\(index)", host: nil) { $0.jitter = .seconds(60) }
        if let next = rig.run(job).dueAt { due.insert(next) }
      }
    }
    #expect(due.count > 45 && due.count <= 50)
    #expect(due.allSatisfy { $0 - SchedulerRig.start >= .seconds(900) })
    #expect(due.allSatisfy { $0 - SchedulerRig.start < .seconds(960) })
  }

  @Test func `another seed gives each job another jitter, which is always the same`() {
    func due(seed: UInt64) -> [Timestamp?] {
      var rig = SchedulerRig()
      rig.scheduler.jitter = Jitter(seed: seed)
      return (0..<20).map { index in
        rig.run(rig.add("job\(index)", host: nil) { $0.jitter = .seconds(600) }).dueAt
      }
    }
    #expect(due(seed: 1) == due(seed: 1))
    #expect(zip(due(seed: 1), due(seed: 2)).filter { $0 == $1 }.isEmpty)
  }

  @Test func `jitter delays each time of a cron line once`() throws {
    var rig = SchedulerRig()
    let line = try CronLine(parsing: "*/10 * * * *")
    let job = rig.add("a", .cron(line), host: nil) { $0.jitter = .seconds(300) }
    var times: [Duration] = []
    for _ in 0..<50 {
      #expect(rig.wake() == ["a"])
      times.append(rig.now - SchedulerRig.start)
      rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    }
    for (index, time) in times.enumerated() {
      let late = time - .seconds(600 * (index + 1))
      #expect(late >= .zero && late < .seconds(300))
    }
    #expect(Set(times.enumerated().map { $1 - .seconds(600 * $0) }).count > 40)
  }

  @Test func `explain reports the jitter`() throws {
    func told(_ interval: Interval, run: Bool = true) -> String? {
      var rig = SchedulerRig()
      let job = rig.add("a", interval, host: nil) { $0.jitter = .seconds(600) }
      if run { rig.run(job) }
      let sentence = rig.scheduler.explain(job, now: rig.now).last
      guard let due = rig.scheduler.schedule(of: job).dueAt, run else { return sentence }
      let late = (due - rig.now - .seconds(900)).shortText
      return sentence?.replacing(late, with: "LATE")
    }
    #expect(
      told(.every(.seconds(900)))
        == "Jitter delays each due time of the job by up to 10m, the next by LATE.")
    #expect(
      told(.every(.seconds(900)), run: false) == "Jitter delays each due time of the job by up to "
        + "10m.")
    #expect(
      told(.adaptive)
        == "The job's jitter is ignored because the learned schedule chooses the due times.")
    #expect(told(.never, run: false) == "It has never run.")
  }

  @Test func `an adaptive job has no jitter`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .adaptive, host: nil) { $0.jitter = .seconds(600) }
    #expect(rig.run(job).dueAt == rig.now + Scheduler.unplannedInterval)
  }

  @Test func `another jitter moves the due time, and another priority does not`() {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil) { $0.jitter = .seconds(600) }
    rig.run(job)
    let before = rig.scheduler.schedule(of: job).dueAt
    var changed = rig.scheduler[job]
    changed.priority = .high
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).dueAt == before)
    changed.jitter = .zero
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).dueAt == rig.now + .seconds(900))
  }

  @Test func `a run longer than its interval is followed by the next one, without overlap`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .every(.seconds(60)), host: nil) { $0.catchUp = .none }
    #expect(rig.due() == ["a"])
    rig.advance(.seconds(600))
    #expect(rig.due() == [])
    #expect(rig.scheduler.ended(job, RunSummary(.noData), now: rig.now).dueAt == rig.now)
    #expect(rig.due() == ["a"])
    #expect(rig.scheduler.takeSkips() == [])
  }

  @Test func `a due time outside the run times moves to their beginning`() throws {
    var rig = SchedulerRig()
    let window = try DayWindow(parsing: "07:00-10:10")
    let job = rig.add("a", host: nil) { $0.runTimes = RunTimes(windows: [window], zone: .utc) }
    let verdict = rig.run(job)
    #expect(verdict.dueAt == rig.now + .seconds(21 * 3600))
    #expect(verdict.dueReason == .runTimes)
    #expect(
      rig.whyText(job) == "its run times begin again at 2026-11-21T07:00:00Z (in 21h)")
  }

  @Test func `a job that waited for its lane until its run times ended waits for the next ones`()
    throws
  {
    var rig = SchedulerRig()
    let window = try DayWindow(parsing: "07:00-10:10")
    let first = rig.add("a")
    let second = rig.add("b") { $0.runTimes = RunTimes(windows: [window], zone: .utc) }
    #expect(rig.due() == ["a"])
    rig.advance(.seconds(900))
    rig.scheduler.ended(first, RunSummary(.noData), now: rig.now)
    #expect(rig.due() == ["a"])
    #expect(rig.why(second) == .outsideRunTimes(until: SchedulerRig.start + .seconds(21 * 3600)))
  }

  @Test func `the time of the learned schedule is used and stored`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .adaptive, host: nil)
    #expect(rig.due() == ["a"])
    let at = rig.now + .seconds(4321)
    let verdict = rig.scheduler.ended(
      job, RunSummary(.noData), planned: PlannedTime(dueAt: at, state: [1, 2]), now: rig.now)
    #expect(verdict == RunVerdict(dueAt: at, dueReason: .adaptive))
    #expect(rig.scheduler.schedule(of: job).adaptive == [1, 2])
    rig.scheduler.reschedule(job, at: rig.now, reason: .adaptive, now: rig.now)
    #expect(rig.due() == ["a"])
    let retry = rig.now + .seconds(601)
    let failed = rig.scheduler.ended(
      job, RunSummary(.failed(.httpStatus)), planned: PlannedTime(dueAt: retry), now: rig.now)
    #expect(failed == RunVerdict(dueAt: retry, dueReason: .backOff(1)))
  }

  @Test func `a change of the config moves only the times that depend on it`() {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil)
    rig.run(job)
    rig.advance(.seconds(100))
    var changed = SchedulerRig.job("a", host: nil)
    changed.priority = .high
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).dueAt == SchedulerRig.start + .seconds(900))
    changed.interval = .every(.seconds(300))
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).dueAt == SchedulerRig.start + .seconds(300))
    changed.isEnabled = false
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.nextWake == nil)
    rig.scheduler.remove(job)
    #expect(rig.scheduler.number(of: "a") == nil)
    #expect(rig.add("b", host: nil) == job)
  }

  @Test func `a job that is removed and added during its run does not run twice`() {
    var rig = SchedulerRig(gap: .zero)
    let job = rig.add("a")
    #expect(rig.due() == ["a"])
    rig.scheduler.remove(job)
    #expect(rig.add("a") == job)
    #expect(rig.due() == [])
    rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    #expect(rig.scheduler.number(of: "a") == job)
    #expect(rig.due() == [])
    rig.advance(.seconds(900))
    #expect(rig.due() == ["a"])
    rig.scheduler.remove(job)
    rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    #expect(rig.scheduler.count == 0)
  }

  // MARK: Hints

  @Test func `hints make an interval longer, never shorter, and by at most a day`() {
    let now = SchedulerRig.start
    let planned = now + .seconds(900)
    func later(_ change: (inout SourceHints) -> Void) -> String {
      var hints = SourceHints()
      change(&hints)
      let (at, hint) = hints.later(than: planned, answeredAt: now)
      return "\((at - now).shortText) \(hint?.rawValue ?? "-")"
    }
    #expect(later { _ in } == "15m -")
    #expect(later { $0.feed.ttl = .seconds(60) } == "15m -")
    #expect(later { $0.feed.ttl = .seconds(3600) } == "1h ttl")
    #expect(later { $0.feed.ttl = .seconds(1_000_000) } == "1d ttl")
    #expect(later { $0.cacheLifetime = .seconds(500_000_000) } == "5h cacheLifetime")
    #expect(later { $0.pollWithPushes = .seconds(86_400) } == "1d hub")
    #expect(later { $0.pollWithPushes = .seconds(600) } == "15m -")
    #expect(later { $0.feed.setUpdates(every: .seconds(7200)) } == "2h updatePeriod")
    #expect(
      later { $0.feed.setUpdates(every: .seconds(7200), from: now + .seconds(-600)) }
        == "1h50m updatePeriod")
    #expect(
      later { $0.feed.setUpdates(every: .seconds(7 * 86_400), from: now) } == "1d updatePeriod")
    // The time is 10:15 on a Friday.
    #expect(later { $0.feed.skipHours = 1 << 10 | 1 << 11 } == "2h skipHours")
    #expect(later { $0.feed.skipHours = 1 << 9 } == "15m -")
    #expect(later { $0.feed.skipDays = 1 << 5 } == "14h skipDays")
    #expect(later { $0.feed.skipDays = 1 << 5 | 1 << 6 } == "1d skipDays")
    #expect(later { $0.feed.skipDays = 1 << 5 | 1 << 6 | 1 << 0 | 1 << 1 } == "1d skipDays")
    #expect(later { $0.feed.skipDays = 0x7F } == "15m -")
    #expect(later { $0.feed.skipHours = 0xFFFFFF } == "15m -")
    #expect(
      later {
        $0.feed.ttl = .seconds(3600)
        $0.feed.skipHours = 1 << 11
      } == "2h skipHours")
  }

  @Test func `skipped hours and days do not move a time that is more than a day away`() {
    let now = SchedulerRig.start
    var hints = SourceHints()
    hints.feed.skipDays = 1 << 6 | 1 << 0
    let (at, hint) = hints.later(than: now + .seconds(90_000), answeredAt: now)
    #expect(at == now + .seconds(90_000))
    #expect(hint == nil)
  }

  @Test func `the hints of a good run are stored, and explained`() {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil)
    rig.run(job) { $0.hints.feed.ttl = .seconds(7200) }
    #expect(rig.scheduler.schedule(of: job).feedHints.ttl == .seconds(7200))
    #expect(
      rig.scheduler.explain(job, now: rig.now).last == "Feed hints: ttl 2h.")
    rig.advance(.seconds(7200))
    rig.run(job, .failed(.httpStatus)) { $0.hints.feed.ttl = .seconds(60) }
    #expect(rig.scheduler.schedule(of: job).feedHints.ttl == .seconds(7200))
  }

  @Test func `the learned schedule applies the hints itself, and its time is not moved`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .adaptive, host: nil)
    _ = rig.due()
    var summary = RunSummary(.noData)
    summary.hints.feed.ttl = .seconds(7200)
    let at = rig.now + .seconds(600)
    let verdict = rig.scheduler.ended(
      job, summary, planned: PlannedTime(dueAt: at), now: rig.now)
    #expect(verdict == RunVerdict(dueAt: at, dueReason: .adaptive))
    rig.advance(.seconds(600))
    _ = rig.due()
    let later = rig.scheduler.ended(
      job, summary, planned: PlannedTime(dueAt: at, hint: .skipDays), now: rig.now)
    #expect(later.dueReason == .hint(.skipDays))
  }

  @Test func `the hint that determined the due time is given as the reason`() {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil)
    let verdict = rig.run(job) { $0.hints.feed.ttl = .seconds(7200) }
    #expect(verdict == RunVerdict(dueAt: rig.now + .seconds(7200), dueReason: .hint(.ttl)))
  }
}
