import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct LaneTests {
  @Test func `a hostname has one run at a time, with a gap between two runs`() {
    var rig = SchedulerRig()
    let first = rig.add("a")
    let second = rig.add("b")
    let other = rig.add("c", host: "example.com")
    #expect(rig.due() == ["a", "c"])
    rig.advance(.seconds(5))
    #expect(
      rig.why(second) == .laneBusy(hostname: "example.org", running: 1, max: 1))
    #expect(rig.scheduler.nextWake == nil)
    rig.scheduler.ended(first, RunSummary(.noData), now: rig.now)
    rig.scheduler.ended(other, RunSummary(.noData), now: rig.now)
    // The run had one request, five seconds ago, so the gap is over.
    #expect(rig.due() == ["b"])
  }

  @Test func `the gap after a run of several requests begins at the end of the run`() {
    var rig = SchedulerRig(gap: .seconds(3))
    let first = rig.add("a")
    let second = rig.add("b")
    #expect(rig.due() == ["a"])
    rig.advance(.seconds(5))
    rig.scheduler.ended(first, RunSummary(.noData, cost: RunCost(requests: 2)), now: rig.now)
    #expect(rig.due() == [])
    #expect(
      rig.why(second)
        == .laneGap(hostname: "example.org", gap: .seconds(3), until: rig.now + .seconds(3)))
    #expect(rig.wake() == ["b"])
    #expect(rig.now == SchedulerRig.start + .seconds(8))
  }

  @Test
  func `a hostname has as many runs as its rule has connections, with gaps between their starts`() {
    var rig = SchedulerRig(gap: .seconds(1), lanes: 2)
    for name in ["a", "b", "c"] { rig.add(name) }
    #expect(rig.due() == ["a"])
    #expect(rig.wake() == ["b"])
    rig.advance(.seconds(10))
    #expect(rig.due() == [])
  }

  @Test func `jobs without requests have no lane`() {
    var rig = SchedulerRig()
    for name in ["a", "b", "c"] { rig.add(name, host: nil) }
    #expect(rig.due() == ["a", "b", "c"])
  }

  @Test func `the job that was served least recently goes first`() {
    var rig = SchedulerRig()
    for (name, ago) in [("a", 100), ("b", 300), ("c", 200)] {
      var schedule = JobSchedule()
      schedule.lastStartAt = rig.now + .seconds(-ago)
      schedule.dueAt = rig.now
      rig.add(name, host: "example.org", schedule)
    }
    rig.add("new")
    var order: [JobName] = []
    for _ in 0..<4 {
      let started = rig.wake()
      order += started
      for name in started {
        guard let job = rig.scheduler.number(of: name) else { continue }
        rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
      }
    }
    #expect(order == ["new", "b", "c", "a"])
  }

  @Test func `Retry-After closes the lane for all jobs of the hostname`() {
    var rig = SchedulerRig()
    let first = rig.add("a")
    let second = rig.add("b")
    let until = rig.now + .seconds(1800)
    let verdict = rig.run(first, .failed(.httpStatus)) {
      $0.httpStatus = 503
      $0.retryAfter = until
    }
    #expect(verdict.dueAt == until)
    #expect(verdict.dueReason == .retryAfter)
    rig.advance(.seconds(60))
    #expect(rig.due() == [])
    #expect(
      rig.why(second) == .laneClosed(hostname: "example.org", until: until, .retryAfter))
    // The closure applies to every job.
    #expect(
      rig.scheduler.trigger(second, .manual, now: rig.now)
        == .waits(.laneClosed(hostname: "example.org", until: until, .retryAfter)))
    #expect(rig.scheduler.closures(now: rig.now).map(\.hostname) == ["example.org"])
    #expect(rig.scheduler.nextWake == until)
    #expect(rig.wake() == ["b"])
  }

  @Test func `a closure persists over a restart`() {
    var rig = SchedulerRig()
    let until = rig.now + .seconds(600)
    rig.scheduler.close("example.org", until: until, now: rig.now)
    rig.add("a")
    #expect(rig.due() == [])
    #expect(rig.scheduler.nextWake == until)
    #expect(rig.wake() == ["a"])
  }

  @Test func `five 403 in a row count as a 429, and the next closure is twice as long`() {
    var rig = SchedulerRig()
    let jobs = (0..<12).map { rig.add("job\($0)") }
    func refuse(_ job: JobNumber) {
      rig.now = max(rig.now, rig.scheduler.nextWake ?? rig.now)
      let name = rig.scheduler[job].name
      #expect(rig.due() == [name])
      var summary = RunSummary(.failed(.httpStatus))
      summary.httpStatus = 403
      rig.scheduler.ended(job, summary, now: rig.now)
    }
    for job in jobs[..<4] { refuse(job) }
    #expect(rig.scheduler.closures(now: rig.now).isEmpty)
    refuse(jobs[4])
    let first = rig.scheduler.closures(now: rig.now)
    #expect(first.map(\.until) == [rig.now + .seconds(600)])
    #expect(
      rig.why(jobs[5])
        == .laneClosed(
          hostname: "example.org", until: rig.now + .seconds(600), .forbidden(5)))
    rig.advance(.seconds(600))
    for _ in 0..<5 {
      let started = rig.due()
      for name in started {
        guard let job = rig.scheduler.number(of: name) else { continue }
        var summary = RunSummary(.failed(.httpStatus))
        summary.httpStatus = 403
        rig.scheduler.ended(job, summary, now: rig.now)
      }
      rig.advance(.seconds(1))
    }
    #expect(
      rig.scheduler.closures(now: rig.now).map(\.until) == [rig.now + .seconds(1199)])
  }

  @Test func `a success with a job of another hostname also ends a series of 403`() {
    var rig = SchedulerRig()
    for _ in 0..<4 { rig.scheduler.note(403, of: "b.example", now: rig.now) }
    rig.scheduler.noteSuccess(of: "b.example")
    for _ in 0..<4 { rig.scheduler.note(403, of: "b.example", now: rig.now) }
    #expect(rig.scheduler.closures(now: rig.now).isEmpty)
    rig.scheduler.note(403, of: "b.example", now: rig.now)
    #expect(rig.scheduler.closures(now: rig.now).map(\.hostname) == ["b.example"])
    // An unknown hostname has no state to drop.
    rig.scheduler.noteSuccess(of: "c.example")
  }

  @Test func `429 without a time closes for ten minutes`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.httpStatus)) { $0.httpStatus = 429 }
    #expect(rig.scheduler.closures(now: rig.now).map(\.until) == [rig.now + .seconds(600)])
  }

  @Test func `a run without requests costs no gap`() {
    var rig = SchedulerRig(gap: .seconds(3))
    let first = rig.add("a")
    rig.add("b")
    #expect(rig.due() == ["a"])
    rig.scheduler.ended(first, RunSummary(.noData, cost: RunCost(requests: 0)), now: rig.now)
    #expect(rig.due() == ["b"])
  }
}
