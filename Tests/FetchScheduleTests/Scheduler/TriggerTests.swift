import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct TriggerTests {
  @Test func `a user's request may skip the interval, or wait for the due time`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job)
    rig.advance(.seconds(10))
    #expect(
      rig.scheduler.trigger(job, .manual, skipsInterval: false, now: rig.now)
        == .waits(.notDue(until: SchedulerRig.start + .seconds(900), .interval)))
    #expect(rig.due() == [])
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    let starts = rig.scheduler.due(now: rig.now)
    #expect(starts.map(\.trigger) == [.manual])
    #expect(
      rig.scheduler.trigger(job, .manual, now: rig.now) == .skipped(.running(since: rig.now)))
    // The next due time is counted from the requested run.
    let verdict = rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    #expect(verdict.dueAt == rig.now + .seconds(900))
  }

  @Test func `a user's run also waits for its lane`() {
    var rig = SchedulerRig()
    rig.add("a")
    let second = rig.add("b", .never)
    #expect(rig.due() == ["a"])
    #expect(rig.why(second) == .noInterval)
    #expect(rig.scheduler.trigger(second, .manual, now: rig.now) == .due)
    #expect(rig.due() == [])
    #expect(rig.why(second) == .laneBusy(hostname: "example.org", running: 1, max: 1))
  }

  @Test func `a requested run goes ahead of due ones`() {
    var limits = BudgetLimits()
    limits.runsAtOnceMax = 1
    var rig = SchedulerRig(limits)
    let asked = rig.add("asked", .never, host: "asked.example")
    for index in 0..<50 { rig.add("job\(index)", host: "host\(index).example") }
    for _ in 0..<10 {
      for name in rig.due() {
        guard let job = rig.scheduler.number(of: name) else { continue }
        rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
      }
    }
    _ = rig.scheduler.trigger(asked, .manual, now: rig.now)
    #expect(rig.due() == ["asked"])
  }

  @Test func `pushes of one job cause at most one run a minute`() {
    var rig = SchedulerRig(gap: .zero)
    let job = rig.add("a", .every(.seconds(86_400)))
    rig.run(job)
    rig.advance(.seconds(100))
    #expect(rig.scheduler.trigger(job, .push, now: rig.now) == .due)
    #expect(rig.scheduler.due(now: rig.now).map(\.trigger) == [.push])
    // All pushes during the run cause one more run.
    for _ in 0..<5 {
      #expect(rig.scheduler.trigger(job, .push, now: rig.now) == .waits(.running(since: rig.now)))
    }
    #expect(rig.scheduler.takeSkips().count == 4)
    let again = rig.now + .seconds(60)
    let verdict = rig.scheduler.ended(job, RunSummary(.newData), now: rig.now)
    #expect(verdict.dueAt == again)
    #expect(rig.why(job) == .pushLimited(until: again))
    // The push is combined with the pending run.
    rig.advance(.seconds(30))
    #expect(
      rig.scheduler.trigger(job, .push, now: rig.now)
        == .waits(.notDue(until: again, .triggered(.push))))
    #expect(rig.due() == [])
    #expect(rig.wake() == ["a"])
    #expect(rig.now == again)
  }

  @Test func `an hour with a push each second has sixty runs`() {
    var rig = SchedulerRig(gap: .zero)
    let job = rig.add("a", .never)
    var runs = 0
    for _ in 0..<3600 {
      _ = rig.scheduler.trigger(job, .push, now: rig.now)
      if !rig.due().isEmpty {
        runs += 1
        rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
      }
      rig.advance(.seconds(1))
    }
    #expect(runs == 60)
  }

  @Test func `pushes during runs also cause at most one run a minute`() {
    var rig = SchedulerRig(gap: .zero)
    let job = rig.add("a", .every(.seconds(86_400)))
    var runs = 0
    for _ in 0..<600 {
      if rig.due().isEmpty == false {
        runs += 1
        _ = rig.scheduler.trigger(job, .push, now: rig.now)
        rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
      }
      rig.advance(.seconds(1))
    }
    // The first run is due by the interval, the next one by a push.
    #expect(runs == 11)
  }

  @Test func `a push during a run that then fails is skipped, with the reason`() {
    var rig = SchedulerRig(gap: .zero)
    let job = rig.add("a")
    #expect(rig.due() == ["a"])
    _ = rig.scheduler.trigger(job, .push, now: rig.now)
    let verdict = rig.scheduler.ended(job, RunSummary(.failed(.pluginError)), now: rig.now)
    #expect(verdict.dueReason == .backOff(1))
    let reasons = rig.scheduler.takeSkips().map(\.reason)
    #expect(reasons == [.failed(.push)])
    #expect(
      reasons.map(\.sentence) == [
        "the job was running when it was pushed, but that run did not succeed"
      ])
  }

  @Test func `a push is combined with a run that is about to start`() {
    var rig = SchedulerRig()
    let first = rig.add("a")
    let second = rig.add("b")
    #expect(rig.due() == ["a"])
    #expect(
      rig.scheduler.trigger(second, .push, now: rig.now)
        == .waits(.laneBusy(hostname: "example.org", running: 1, max: 1)))
    #expect(rig.scheduler.takeSkips().map(\.reason) == [.ridesAlong(.push)])
    rig.scheduler.ended(first, RunSummary(.noData), now: rig.now)
    #expect(rig.wake() == ["b"])
    rig.scheduler.ended(second, RunSummary(.noData), now: rig.now)
    #expect(rig.wake() == ["a"])
  }

  @Test func `a push does not shorten a back-off, but a user's request does`() {
    var rig = SchedulerRig(gap: .zero)
    let job = rig.add("a")
    let verdict = rig.run(job, .failed(.pluginError))
    guard let due = verdict.dueAt else { return }
    #expect(
      rig.scheduler.trigger(job, .push, now: rig.now) == .waits(.backOff(failures: 1, until: due)))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    #expect(rig.due() == ["a"])
  }

  @Test func `a changed file makes its job due, or due at the next run time if it is outside`() {
    var rig = SchedulerRig()
    let plain = rig.add("a", .never, host: nil)
    let night = rig.add("b", .never, host: nil) {
      let windows = (try? DayWindow(parsing: "22:00-23:00")).map { [$0] } ?? []
      $0.runTimes = RunTimes(windows: windows, zone: .utc)
    }
    #expect(rig.scheduler.trigger(plain, .file, now: rig.now) == .due)
    #expect(
      rig.scheduler.trigger(night, .file, now: rig.now)
        == .waits(.outsideRunTimes(until: rig.now + .seconds(12 * 3600))))
    #expect(rig.scheduler.due(now: rig.now).map(\.trigger) == [.event])
    rig.scheduler.ended(plain, RunSummary(.noData), now: rig.now)
    let opening = rig.now + .seconds(12 * 3600)
    #expect(rig.why(night) == .outsideRunTimes(until: opening))
    // All triggers during the wait cause one run.
    #expect(
      rig.scheduler.trigger(night, .push, now: rig.now) == .waits(.outsideRunTimes(until: opening)))
    #expect(rig.scheduler.takeSkips().map(\.reason) == [.ridesAlong(.push)])
    #expect(rig.wake() == ["b"])
    #expect(rig.now == opening)
    rig.scheduler.ended(night, RunSummary(.noData), now: rig.now)
    #expect(rig.why(night) == .noInterval)
  }

  @Test func `a requested run that waits stays when the config changes`() {
    var rig = SchedulerRig()
    let job = rig.add("second", .every(.seconds(3600)))
    rig.run(job)
    rig.advance(.seconds(10))
    rig.add("first")
    #expect(rig.due() == ["first"])
    _ = rig.scheduler.trigger(job, .push, now: rig.now)
    #expect(rig.due() == [])
    for interval in [Interval.every(.seconds(60)), .never] {
      rig.scheduler.update(SchedulerRig.job("second", interval), now: rig.now)
      #expect(rig.due() == [])
      #expect(rig.why(job) == .laneBusy(hostname: "example.org", running: 1, max: 1))
    }
    guard let first = rig.scheduler.number(of: "first") else { return }
    rig.scheduler.ended(first, RunSummary(.noData), now: rig.now)
    rig.advance(.seconds(1))
    #expect(rig.scheduler.due(now: rig.now).map(\.trigger) == [.push])
  }

  @Test func `a disabled job runs once if a user requests it by name`() {
    var rig = SchedulerRig()
    let off = rig.add("off", .every(.seconds(60))) { $0.isEnabled = false }
    #expect(rig.due() == [])
    #expect(rig.scheduler.trigger(off, .manual, now: rig.now) == .due)
    #expect(rig.why(off) == .turn)
    #expect(rig.scheduler.trigger(off, .push, now: rig.now) == .skipped(.disabled))
    #expect(rig.due() == ["off"])
    #expect(rig.scheduler.ended(off, RunSummary(.noData), now: rig.now).dueAt == nil)
    rig.advance(.seconds(600))
    #expect(rig.due() == [])
    #expect(rig.why(off) == .disabled)
    #expect(rig.scheduler.nextWake == nil)
  }

  @Test(arguments: [RunEnding.failed(.pluginError), .failed(.cancelled)])
  func `a disabled job is not retried`(ending: RunEnding) {
    var rig = SchedulerRig()
    let off = rig.add("off", .every(.seconds(60))) { $0.isEnabled = false }
    #expect(rig.scheduler.trigger(off, .manual, now: rig.now) == .due)
    #expect(rig.due() == ["off"])
    rig.scheduler.ended(off, RunSummary(ending), now: rig.now)
    rig.advance(.seconds(90_000))
    #expect(rig.due() == [])
    #expect(rig.why(off) == .disabled)
  }

  @Test func `a request for a disabled job that cannot run is dropped`() {
    var rig = SchedulerRig()
    let job = rig.add("job", .never)
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    var unready = SchedulerRig.job("job", .never)
    (unready.isEnabled, unready.isReady) = (false, false)
    rig.scheduler.update(unready, now: rig.now)
    #expect(rig.due() == [])
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .skipped(.disabled))
    #expect(rig.scheduler.explain(job, now: rig.now).contains { $0.contains("fetchrun check") })
  }

  @Test func `while all jobs are paused, the answer to a push says so, not that its job is paused`()
  {
    var rig = SchedulerRig()
    let job = rig.add("a")
    let own = rig.add("b")
    rig.scheduler.pause(own, now: rig.now)
    rig.advance(.seconds(60))
    rig.scheduler.pauseAll(now: rig.now)
    let reasons: [SkipReason] = [
      .allPaused(since: rig.now), .paused(since: SchedulerRig.start),
    ]
    for (job, reason) in zip([job, own], reasons) {
      #expect(rig.scheduler.trigger(job, .push, now: rig.now) == .skipped(reason))
    }
    #expect(rig.scheduler.takeSkips().map(\.reason) == reasons)
  }

  @Test func `paused and disabled jobs are not triggered`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    let off = rig.add("b") { $0.isEnabled = false }
    rig.scheduler.pause(job, now: rig.now)
    #expect(rig.scheduler.trigger(job, .push, now: rig.now) == .skipped(.paused(since: rig.now)))
    #expect(rig.scheduler.trigger(off, .push, now: rig.now) == .skipped(.disabled))
    #expect(rig.why(off) == .disabled)
    #expect(rig.due() == [])
    rig.scheduler.resume(job, now: rig.now)
    rig.scheduler.pauseAll(now: rig.now)
    #expect(rig.why(job) == .allPaused(since: rig.now))
    #expect(rig.due() == [])
    #expect(rig.scheduler.nextWake == nil)
    rig.scheduler.resumeAll(now: rig.now)
    #expect(rig.due() == ["a"])
  }
}
