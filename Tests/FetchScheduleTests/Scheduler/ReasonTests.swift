import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct ReasonTests {
  private let now = SchedulerRig.start
  private var later: Timestamp { now + .seconds(300) }

  @Test func `each reason for a wait is one sentence with its numbers`() {
    let at = "2026-11-20T10:05:00Z (in 5m)"
    let since = "2026-11-20T10:00:00Z"
    let rate = Rate(amount: 600, period: .hour)
    let bytes = Rate(amount: 500_000_000, period: .day)
    let time = Rate(amount: 600_000, period: .hour)
    let expected: [(WaitReason, String)] = [
      (.notDue(until: later, .interval), "it is due at \(at) by its interval"),
      (.notDue(until: later, .cron), "it is due at \(at) by its cron line"),
      (.notDue(until: later, .adaptive), "it is due at \(at) by its learned schedule"),
      (
        .notDue(until: later, .hint(.ttl)),
        "it is due at \(at) because of the feed's ttl"
      ),
      (
        .notDue(until: later, .retryAfter),
        "it is due at \(at) because of Retry-After or a postponed request"
      ),
      (.noInterval, "its interval is never: it runs only when triggered"),
      (
        .backOff(failures: 3, until: later),
        "failed 3 times; next try at \(at)"
      ),
      (
        .laneBusy(hostname: "example.org", running: 1, max: 1),
        "example.org is busy with 1 other run (at most 1 at a time)"
      ),
      (
        .laneGap(hostname: "example.org", gap: .seconds(2), until: later),
        "requests to example.org are at least 2s apart; the next is possible at \(at)"
      ),
      (
        .laneClosed(hostname: "example.org", until: later, .retryAfter),
        "example.org gets no requests until \(at) because it sent Retry-After"
      ),
      (
        .laneClosed(hostname: "example.org", until: later, .forbidden(5)),
        "example.org gets no requests until \(at) because it answered 403 Forbidden 5 times "
          + "without a success"
      ),
      (
        .laneClosed(hostname: "example.org", until: later, .tooManyRequests),
        "example.org gets no requests until \(at) because it answered 429 Too Many Requests"
      ),
      (.budget(.runsAtOnce(8)), "the limit of 8 concurrent runs is reached"),
      (
        .budget(.spent(.requests, rate, until: later)),
        "the budget of 600 requests an hour has too little left until \(at)"
      ),
      (
        .budget(.spent(.bytes, bytes, until: later)),
        "the budget of 500.0 MB a day has too little left until \(at)"
      ),
      (
        .budget(.spent(.cpu, time, until: later)),
        "the budget of 10m of CPU time an hour has too little left until \(at)"
      ),
      (
        .budget(.spent(.runTime, time, until: later)),
        "the budget of 10m of run time an hour has too little left until \(at)"
      ),
      (.offline(since: now), "this machine has been offline since \(since)"),
      (
        .networkDown(since: now, probeAt: later),
        "connections have failed since \(since), so the network is considered down; one job "
          + "tests the network at \(at)"
      ),
      (.acPower, "it runs only on mains power, but this machine is on battery"),
      (
        .load(now: 5.26, max: 4),
        "the load of this machine is 5.26; the job runs only below 4"
      ),
      (
        .load(now: 0.03, max: 0.01),
        "the load of this machine is 0.03; the job runs only below 0.01"
      ),
      (
        .load(now: 11.9, max: 2.5), "the load of this machine is 11.90; the job runs only below 2.5"
      ),
      (.running(since: now), "it has been running since \(since)"),
      (.paused(since: now, .person), "it has been paused since \(since)"),
      (
        .paused(since: now, .gone),
        "it has been paused since \(since) because its source answered 410 Gone"
      ),
      (.allPaused(since: now), "all jobs have been paused since \(since)"),
      (.disabled, "it is disabled in the config"),
      (.unlisted, "no config with this job was read, so its schedule is unknown"),
      (.outsideRunTimes(until: later), "its run times begin again at \(at)"),
      (
        .pushLimited(until: later),
        "it was pushed and is due at \(at): pushes start at most one run of a job every 1m"
      ),
      (.turn, "it is due and can start now"),
    ]
    for (reason, text) in expected { #expect(reason.sentence(now: now) == text) }
  }

  @Test func `the time in a reason is never before the end of the wait`() {
    let reason = WaitReason.outsideRunTimes(until: now + .milliseconds(1001))
    #expect(
      reason.sentence(now: now)
        == "its run times begin again at 2026-11-20T10:00:02Z (in 2s)")
  }

  @Test func `each skip is one sentence`() {
    let since = "2026-11-20T10:00:00Z"
    #expect(
      SkipReason.missed(now).sentence
        == "it missed its due time \(since), and its `catch_up` is `none`")
    let ends =
      "got no run: `catch_up: all` stops after 100 runs, and earlier if a run does not succeed, "
      + "or if the next run has to wait or is triggered by an event"
    #expect(SkipReason.leftOut(1, orMore: false).sentence == "1 missed time \(ends)")
    #expect(SkipReason.leftOut(7, orMore: false).sentence == "7 missed times \(ends)")
    #expect(
      SkipReason.leftOut(1000, orMore: true).sentence == "at least 1000 missed times \(ends)")
    #expect(
      SkipReason.running(since: now).sentence == "a run that started at \(since) was under way")
    #expect(
      SkipReason.ridesAlong(.push).sentence
        == "it was pushed, but a run was already pending")
    #expect(SkipReason.disabled.sentence == "it was disabled in the config")
    #expect(SkipReason.paused(since: now).sentence == "it was paused at \(since)")
    #expect(SkipReason.allPaused(since: now).sentence == "all jobs were paused at \(since)")
  }

  @Test func `each notice is one sentence`() {
    #expect(
      Notice.gone.sentence
        == "the source answered 410 Gone, so the job is paused: change the source's address to "
        + "resume the job, or remove the job")
    #expect(
      DueReason.sourceChanged.phrase
        == "because its plugin, options, secrets or grant have changed since its last run")
    #expect(
      Notice.sourceChanged.sentence
        == "the job's options or plugin have changed since the source answered 410 Gone, so the "
        + "job is resumed")
    #expect(Notice.broken(failures: 3).sentence == "it failed 3 times in a row")
    #expect(Notice.healed(failures: 3).sentence == "it works again after 3 failures")
    #expect(
      Notice.longDead(since: now).sentence
        == "it has failed since 2026-11-20T10:00:00Z: from now on it is tried once a week")
  }

  @Test func `a sentence says "waits" only if the job has a run to wait for`() {
    let since = "2026-11-20T10:00:00Z"
    let expected: [(WaitReason, String)] = [
      (.running(since: now), "news has been running since \(since)"),
      (.paused(since: now, .person), "news has been paused since \(since)"),
      (
        .paused(since: now, .gone),
        "news has been paused since \(since) because its source answered 410 Gone"
      ),
      (.disabled, "news is disabled in the config"),
      (.noInterval, "news runs only when triggered: its interval is never"),
      (.unlisted, "news has no known schedule: no config with this job was read"),
      (.allPaused(since: now), "news waits: all jobs have been paused since \(since)"),
      (.turn, "news waits: it is due and can start now"),
    ]
    for (reason, text) in expected { #expect(reason.sentence(of: "news", now: now) == text) }
  }

  @Test func `a due job names its first obstacle before the scheduler has tried to start it`() {
    var limits = BudgetLimits()
    limits.runsAtOnceMax = 0
    var rig = SchedulerRig(limits)
    let until = rig.now + .seconds(600)
    rig.scheduler.close("closed.test", until: until, now: rig.now)
    let closed = rig.add("closed", host: "closed.test")
    let open = rig.add("open", host: "open.test")
    #expect(rig.why(closed).until == until)
    #expect(!rig.scheduler.starts(closed, within: .seconds(60), now: rig.now))
    #expect(rig.why(open) == .budget(.runsAtOnce(0)))
  }

  @Test func `explain does not deny a run outside the schedule`() {
    var rig = SchedulerRig()
    let job = rig.add("news")
    #expect(
      rig.scheduler.explain(job, now: rig.now, lastRunAt: rig.now).last
        == "It last ran at 2026-11-20T10:00:00Z; its schedule has no run yet.")
  }

  @Test func `explain shows the state, the failures and the last success`() {
    var rig = SchedulerRig()
    let job = rig.add("news")
    #expect(
      rig.scheduler.explain(job, now: rig.now) == [
        "news waits: it is due and can start now.", "It has never run.",
      ])
    #expect(rig.due() == ["news"])
    #expect(
      rig.scheduler.explain(job, now: rig.now) == [
        "news has been running since 2026-11-20T10:00:00Z. It was due for its first run.",
        "It has never succeeded.",
      ])
    rig.scheduler.ended(job, RunSummary(.newData), now: rig.now)
    rig.advance(.seconds(900))
    rig.run(job, .failed(.httpStatus))
    let wait = rig.why(job)
    #expect(wait.until != nil)
    #expect(
      rig.scheduler.explain(job, now: rig.now) == [
        "news \(wait.sentence(now: rig.now)).",
        "It has failed since 2026-11-20T10:15:00Z: 1 failure in a row.",
        "Last success at 2026-11-20T10:00:00Z, last new data at 2026-11-20T10:00:00Z.",
      ])
    #expect(rig.whyText(job).hasPrefix("failed once; next try at 2026-"))
  }
}
