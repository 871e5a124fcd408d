import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct BackoffTests {
  @Test(arguments: [
    (1, 0, 600), (2, 600, 1200), (3, 1800, 2400), (4, 4000, 4800), (5, 9000, 9600),
    (6, 18_000, 19_200), (7, 40_000, 21_600), (12, 80_000, 21_600),
    (8, 86_400, 76_800), (9, 100_000, 86_400), (60, 1_000_000, 86_400), (90, 1_209_600, 604_800),
    (10, 1_209_600, 604_800),
  ]) func `the longest delay doubles from ten minutes on`(
    failures: Int, failingSeconds: Int, ceiling: Int
  ) {
    #expect(
      Backoff.outage(failures: failures, failingFor: .seconds(failingSeconds))
        .longest(failures: failures) == .seconds(ceiling))
  }

  @Test func `the delay is random between the job's interval and the longest delay`() {
    func delay(_ failures: Int, _ pace: Int?, _ chance: Double) -> Duration {
      Backoff.jobDelay(
        failures: failures, failingFor: .zero, pace: pace.map { .seconds($0) }, chance: chance)
    }
    #expect(delay(1, 60, 0) == .seconds(60))
    #expect(delay(1, 60, 0.5) == .seconds(330))
    // A daily job does not wait a day before its second try.
    #expect(delay(1, 86_400, 0) == .seconds(300))
    #expect(delay(1, nil, 0.5) == .seconds(450))
    #expect(delay(6, 300, 0) == .seconds(300))
    #expect(delay(6, 300, 0.999999) < .seconds(19_200))
    #expect(
      Backoff.jobDelay(failures: 99, failingFor: Backoff.longDeadAfter, pace: nil, chance: 0)
        == .seconds(574_560))
  }

  @Test func `a failing job backs off and recovers at the first success`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .every(.seconds(300)))
    var notices: [Notice] = []
    for failure in 1...4 {
      let verdict = rig.run(job, .failed(.pluginError))
      #expect(verdict.dueReason == .backOff(failure))
      notices += verdict.notices
      guard let due = verdict.dueAt else { return }
      #expect(due - rig.now >= .seconds(300))
      #expect(due - rig.now <= .seconds(600 << (failure - 1)))
      #expect(rig.why(job) == .backOff(failures: failure, until: due))
      rig.now = due
    }
    #expect(notices == [.broken(failures: 3)])
    let verdict = rig.run(job)
    #expect(verdict.notices == [.healed(failures: 4)])
    #expect(verdict.dueAt == rig.now + .seconds(300))
    #expect(rig.scheduler.schedule(of: job).failureCount == 0)
  }

  @Test func `a job that has failed for long is tried once a week, and reported once`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    var notices: [Notice] = []
    var probes: [Duration] = []
    let end = rig.now + .seconds(60 * 86_400)
    var runs = 0
    while rig.now < end {
      let verdict = rig.run(job, .failed(.httpStatus))
      runs += 1
      notices += verdict.notices
      guard let due = verdict.dueAt else { return }
      if case .probe = verdict.dueReason { probes.append(due - rig.now) }
      rig.now = due
    }
    #expect(notices.count == 2)
    #expect(probes.count >= 6)
    #expect(probes.allSatisfy { $0 > .seconds(574_000) && $0 <= Backoff.probeInterval })
    #expect(runs < 90)
  }

  @Test func `a job without an interval is not said to be tried once a week`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .never)
    var notices: [Notice] = []
    for _ in 0..<30 {
      _ = rig.scheduler.trigger(job, .manual, now: rig.now)
      notices += rig.run(job, .failed(.httpStatus)).notices
      rig.advance(.seconds(86_400))
    }
    #expect(notices == [.broken(failures: 3)])
  }

  /// Years pass if the machine was off, or if the machine's clock was wrong at the first failure.
  @Test(arguments: [2, 9])
  func `a job with few failures is not given up, however long ago they began`(
    failures: Int
  ) {
    let years: Duration = .seconds(56 * 365 * 86_400)
    #expect(
      Backoff.outage(failures: failures, failingFor: years).longest(failures: failures)
        <= Backoff.laterMax)
    var rig = SchedulerRig()
    let job = rig.add("a")
    for _ in 1..<failures {
      rig.now = rig.run(job, .failed(.httpStatus)).dueAt ?? rig.now
    }
    rig.advance(years)
    let verdict = rig.run(job, .failed(.httpStatus))
    #expect(verdict.dueReason == .backOff(failures))
    #expect(verdict.dueAt.map { $0 - rig.now <= Backoff.laterMax } == true)
  }

  @Test func `410 pauses the job until a user resumes it, and is reported`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    let verdict = rig.run(job, .failed(.httpStatus)) { $0.httpStatus = 410 }
    #expect(verdict.notices == [.gone])
    #expect(rig.scheduler.nextWake == nil)
    #expect(rig.why(job) == .paused(since: rig.now, .gone))
    // The job is in the list of jobs that need attention.
    #expect(rig.scheduler.isFailing(job))
    rig.advance(.seconds(86_400))
    #expect(rig.due() == [])
    rig.scheduler.resume(job, now: rig.now)
    #expect(rig.due() == ["a"])
  }

  @Test func `a job paused by 410 is due again when it gets another source`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.httpStatus)) {
      $0.httpStatus = 410
      $0.source = [1]
    }
    #expect(rig.scheduler.isGone(job))
    rig.advance(.seconds(60))
    #expect(rig.asks([1], job) == nil)
    #expect(rig.scheduler.isGone(job))
    #expect(rig.asks([2], job) == .sourceChanged)
    #expect(!rig.scheduler.isGone(job))
    #expect(rig.scheduler.schedule(of: job).dueAt == rig.now)
    #expect(rig.scheduler.schedule(of: job).dueReason == .sourceChanged)
    #expect(rig.due() == ["a"])
    #expect(rig.asks([3], job) == nil)
  }

  @Test func `a user's pause of a job whose source is gone remains when the source changes`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.httpStatus)) {
      $0.httpStatus = 410
      $0.source = [1]
    }
    let paused = (1...2).map { _ in rig.scheduler.pause(job, now: rig.now) }
    #expect(paused == [true, false])
    #expect(rig.asks([2], job) == nil)
    #expect(rig.why(job) == .paused(since: rig.now, .person))
    rig.advance(.seconds(1))
    rig.scheduler.resume(job, now: rig.now)
    #expect(rig.due() == ["a"])
    // A user's pause without a 410 also remains.
    let other = rig.add("b", host: "b.example")
    rig.scheduler.pause(other, now: rig.now)
    #expect(rig.asks([2], other) == nil)
    #expect(rig.why(other) == .paused(since: rig.now, .person))
  }

  @Test func `a user's pause during a run remains when the run's answer is 410`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    #expect(rig.due() == ["a"])
    rig.scheduler.pause(job, now: rig.now)
    let pausedAt = rig.now
    rig.advance(.seconds(5))
    let verdict = rig.run(job, .failed(.httpStatus)) {
      $0.httpStatus = 410
      $0.source = [1]
    }
    #expect(verdict.notices == [.gone])
    #expect(rig.why(job) == .paused(since: pausedAt, .person))
    #expect(rig.asks([2], job) == nil)
    rig.advance(.seconds(1))
    rig.scheduler.resume(job, now: rig.now)
    #expect(rig.due() == ["a"])
  }

  @Test
  func `if it is unknown which source was gone, a change of the source does not end the pause`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.httpStatus)) { $0.httpStatus = 410 }
    #expect(rig.asks([1], job) == nil)
    #expect(rig.why(job) == .paused(since: rig.now, .gone))
  }

  @Test func `an abandoned run is due again immediately, and later backs off`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    #expect(rig.run(job, .failed(.abandoned)).dueAt == rig.now)
    rig.advance(.seconds(1))
    let verdict = rig.run(job, .failed(.abandoned))
    #expect(verdict.dueReason == .backOff(2))
    rig.scheduler.rescue(job, now: rig.now)
    #expect(rig.why(job) == .backOff(failures: 3, until: rig.why(job).until ?? rig.now))
  }

  @Test func `a job whose third failure is a crash is reported`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    for _ in 0..<2 {
      rig.run(job, .failed(.pluginError))
      rig.advance(.seconds(3600))
    }
    #expect(rig.scheduler.rescue(job, now: rig.now) == [.broken(failures: 3)])
    #expect(rig.scheduler.rescue(job, now: rig.now) == [])
  }

  @Test(arguments: CatchUp.allCases)
  func `a requested run that is cancelled does not change the due time`(catchUp: CatchUp) {
    var rig = SchedulerRig()
    let job = rig.add("a") { $0.catchUp = catchUp }
    rig.run(job)
    let before = rig.why(job)
    rig.advance(.seconds(2))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    rig.run(job, .failed(.cancelled))
    #expect(rig.why(job) == before)
    // A requested run that succeeds is not a run for a missed time.
    rig.advance(.seconds(2))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    #expect(rig.run(job).dueAt == rig.now + .seconds(900))
    #expect(rig.scheduler.takeSkips() == [])
  }

  @Test func `a requested run that is cancelled does not change the back-off`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.pluginError))
    let before = rig.why(job)
    rig.advance(.seconds(2))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    rig.run(job, .failed(.cancelled))
    #expect(rig.why(job) == before)
  }

  @Test func `a run that is cancelled twice is due at its earlier time, for the same reason`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.cancelled))
    let before = rig.why(job)
    #expect(rig.scheduler.schedule(of: job).dueReason == .cancelled)
    rig.advance(.seconds(2))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    rig.run(job, .failed(.cancelled))
    #expect(rig.why(job) == before)
    #expect(rig.scheduler.schedule(of: job).dueReason == .cancelled)
  }

  @Test func `a cancelled run is not a failure`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    let verdict = rig.run(job, .failed(.cancelled))
    #expect(verdict.dueAt == rig.now + .seconds(60))
    #expect(rig.scheduler.schedule(of: job).failureCount == 0)
  }
}
