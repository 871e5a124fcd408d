import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct NetworkTests {
  @Test
  func `without a network, jobs that need it do not start or fail, and later return spread out`() {
    var rig = SchedulerRig()
    let jobs = (0..<100).map { rig.add("job\($0)", host: "host\($0).example") }
    let local = rig.add("local", host: nil)
    rig.scheduler.setOnline(false, now: rig.now)
    #expect(rig.due() == ["local"])
    rig.scheduler.ended(local, RunSummary(.noData), now: rig.now)
    #expect(rig.why(jobs[0]) == .offline(since: rig.now))
    #expect(rig.scheduler.nextWake == rig.now + .seconds(900))
    rig.advance(.seconds(800))
    rig.scheduler.setOnline(true, now: rig.now)
    let back = rig.now
    var most = 0
    var started: Set<JobName> = []
    while let next = rig.scheduler.nextWake, next < back + .seconds(10) {
      let names = rig.wake()
      most = max(most, names.count)
      started.formUnion(names)
    }
    #expect(started.count == 100)
    #expect(most < 10)
  }

  @Test func `a request that arrives without a network is kept`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .never)
    rig.scheduler.setOnline(false, now: rig.now)
    #expect(rig.scheduler.trigger(job, .push, now: rig.now) == .due)
    #expect(rig.due() == [])
    #expect(rig.whyText(job) == "this machine has been offline since 2026-11-20T10:00:00Z")
    rig.scheduler.setOnline(true, now: rig.now)
    rig.advance(.seconds(1))
    #expect(rig.scheduler.due(now: rig.now).map(\.trigger) == [.push])
  }

  @Test func `if all connections fail, the network is blamed, and no job is charged`() {
    var rig = SchedulerRig()
    let jobs = (0..<20).map { rig.add("job\($0)", host: "host\($0).example") }
    #expect(rig.due().count == 20)
    for job in jobs {
      rig.scheduler.ended(job, RunSummary(.failed(.nameResolution)), now: rig.now)
    }
    #expect(rig.due() == [])
    for job in jobs { #expect(rig.scheduler.schedule(of: job).failureCount == 0) }
    let probeAt = rig.now + .seconds(60)
    #expect(rig.why(jobs[3]) == .networkDown(since: rig.now, probeAt: probeAt))
    #expect(rig.scheduler.nextWake == probeAt)
    // One job at a time tries, at growing intervals.
    var tried: [JobName] = []
    for _ in 0..<5 {
      let names = rig.wake()
      #expect(names.count == 1)
      for name in names {
        tried.append(name)
        guard let job = rig.scheduler.number(of: name) else { continue }
        rig.scheduler.ended(job, RunSummary(.failed(.nameResolution)), now: rig.now)
      }
      #expect(rig.due() == [])
    }
    #expect(Set(tried).count > 1)
    #expect(rig.now == SchedulerRig.start + .seconds(60 + 120 + 240 + 480 + 600))
    let names = rig.wake()
    guard let name = names.first, let probe = rig.scheduler.number(of: name) else { return }
    rig.scheduler.ended(probe, RunSummary(.noData), now: rig.now)
    rig.advance(.seconds(10))
    #expect(rig.due().count == 19)
    for job in jobs { #expect(rig.scheduler.schedule(of: job).failureCount == 0) }
  }

  @Test func `failures of one hostname are not blamed on the network`() {
    var rig = SchedulerRig()
    for index in 0..<20 {
      let job = rig.add("job\(index)", host: index % 4 == 0 ? "fine.example" : "broken.example")
      rig.advance(.seconds(2))
      rig.run(job, index % 4 == 0 ? .noData : .failed(.connection))
    }
    let broken = rig.scheduler.number(of: "job1").map { rig.scheduler.schedule(of: $0) }
    #expect(broken?.failureCount == 1)
  }

  @Test(arguments: [2, 3, 20])
  func `failures of several healthy hostnames are blamed on the network, however far apart`(
    count: Int
  ) {
    var rig = SchedulerRig()
    let jobs = (0..<count).map {
      rig.add("job\($0)", .every(.seconds(3600)), host: "host\($0).example")
    }
    for job in jobs { rig.run(job) }
    rig.advance(.seconds(3600))
    #expect(rig.due().count == count)
    for job in jobs.prefix(3) {
      rig.advance(.seconds(600))
      rig.scheduler.ended(job, RunSummary(.failed(.nameResolution)), now: rig.now)
    }
    for job in jobs.prefix(3) {
      #expect(rig.scheduler.schedule(of: job).failureCount == 0)
      #expect(rig.whyText(job).hasPrefix("connections have failed since"))
    }
  }

  @Test func `failures of hostnames that have failed for long are not blamed on the network`() {
    var rig = SchedulerRig()
    let dead = (0..<4).map { rig.add("dead\($0)", .never, host: "dead\($0).example") }
    let fine = rig.add("fine", .never, host: "fine.example")
    for _ in 0..<5 {
      for job in dead {
        _ = rig.scheduler.trigger(job, .manual, now: rig.now)
        rig.run(job, .failed(.nameResolution))
        rig.advance(.seconds(1000))
        _ = rig.scheduler.trigger(fine, .manual, now: rig.now)
        rig.run(fine)
      }
    }
    for _ in 0..<2 {
      for job in dead {
        _ = rig.scheduler.trigger(job, .manual, now: rig.now)
        rig.run(job, .failed(.nameResolution))
        rig.advance(.seconds(1000))
      }
    }
    for job in dead { #expect(rig.scheduler.schedule(of: job).failureCount == 7) }
  }

  @Test func `failures of sources that are gone are blamed on the network only for a while`() {
    var rig = SchedulerRig()
    let jobs = (0..<2).map {
      rig.add("job\($0)", .every(.seconds(3600)), host: "host\($0).example")
    }
    for job in jobs { rig.run(job) }
    rig.advance(.seconds(3600))
    var counts: [Int] = []
    var notices: [Notice] = []
    for _ in 0..<60 where notices.count < 2 {
      for name in rig.wake() {
        guard let job = rig.scheduler.number(of: name) else { continue }
        let summary = RunSummary(.failed(.connection))
        notices += rig.scheduler.ended(job, summary, now: rig.now).notices
        counts.append(jobs.map { rig.scheduler.schedule(of: $0).failureCount }.reduce(0, +))
      }
    }
    // After both jobs have failed, five more failures do not count. The sixth and each later
    // failure count.
    #expect(Array(counts.prefix(9)) == [1, 0, 0, 0, 0, 0, 0, 1, 2])
    #expect(notices == [.broken(failures: 3), .broken(failures: 3)])
    #expect(rig.now - SchedulerRig.start < .seconds(4 * 3600))
    // A server has answered, so the network is no longer suspected.
    let fine = rig.add("fine", host: "fine.example")
    for _ in 0..<60 where rig.scheduler.schedule(of: fine).lastSuccessAt == nil {
      for name in rig.wake() {
        guard let job = rig.scheduler.number(of: name) else { continue }
        let ending: RunEnding = job == fine ? .noData : .failed(.connection)
        rig.scheduler.ended(job, RunSummary(ending), now: rig.now)
      }
    }
    let asked = rig.add("asked", host: "other.example")
    #expect(rig.due().contains("asked"))
    #expect(rig.scheduler.isRunning(asked))
  }

  @Test func `failures of jobs that never succeeded are not blamed on the network`() {
    var rig = SchedulerRig()
    let jobs = (0..<4).map { rig.add("job\($0)", host: "host\($0).example") }
    #expect(rig.due().count == 4)
    for job in jobs {
      rig.scheduler.ended(job, RunSummary(.failed(.nameResolution)), now: rig.now)
    }
    for job in jobs { #expect(rig.scheduler.schedule(of: job).failureCount == 1) }
  }

  @Test(arguments: [3600, 3601])
  func `failures more than an hour apart are not combined`(seconds: Int) {
    var rig = SchedulerRig()
    let jobs = (0..<2).map {
      rig.add("job\($0)", .every(.seconds(3600)), host: "host\($0).example")
    }
    for job in jobs { rig.run(job) }
    rig.advance(.seconds(3600))
    #expect(rig.due().count == 2)
    rig.scheduler.ended(jobs[0], RunSummary(.failed(.nameResolution)), now: rig.now)
    rig.advance(.seconds(seconds))
    rig.scheduler.ended(jobs[1], RunSummary(.failed(.nameResolution)), now: rig.now)
    let counts = jobs.map { rig.scheduler.schedule(of: $0).failureCount }
    #expect(counts == (seconds == 3600 ? [0, 0] : [1, 1]))
  }

  @Test func `hostnames without jobs are not used to judge the network`() {
    var rig = SchedulerRig()
    let jobs = (0..<2).map {
      rig.add("job\($0)", .every(.seconds(3600)), host: "host\($0).example")
    }
    for job in jobs { rig.run(job) }
    rig.scheduler.close("hook.example", until: rig.now + .seconds(60), now: rig.now)
    rig.scheduler.note(403, of: "page.example", now: rig.now)
    rig.scheduler.note(500, of: "", now: rig.now)
    rig.scheduler.remove(rig.add("removed", host: "removed.example"))
    rig.add("disabled", host: "disabled.example") { $0.isEnabled = false }
    rig.add("own", .never, host: "localhost")
    rig.scheduler.pause(rig.add("paused", host: "paused.example"), now: rig.now)
    rig.advance(.seconds(3600))
    #expect(rig.due() == ["job0", "job1"])
    for job in jobs {
      rig.scheduler.ended(job, RunSummary(.failed(.nameResolution)), now: rig.now)
    }
    for job in jobs { #expect(rig.scheduler.schedule(of: job).failureCount == 0) }
  }

  @Test func `a run that found no network at all is not charged`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.offline))
    #expect(rig.scheduler.schedule(of: job).failureCount == 0)
    rig.advance(.seconds(2))
    #expect(rig.due() == [])
    #expect(
      rig.why(job)
        == .networkDown(
          since: SchedulerRig.start, probeAt: SchedulerRig.start + .seconds(60)))
    #expect(rig.wake() == ["a"])
  }

  @Test func `only a job without other obstacles tests the network`() {
    var rig = SchedulerRig()
    // The first job in the queue waits for mains power.
    rig.add("careful", host: "careful.example") { $0.conditions.needsACPower = true }
    let job = rig.add("a")
    var state = MachineState()
    state.isOnACPower = false
    rig.scheduler.setConditions(state, now: rig.now)
    rig.run(job, .failed(.offline))
    rig.advance(.seconds(2))
    #expect(rig.due() == [])
    #expect(rig.wake() == ["a"])
    #expect(rig.now == SchedulerRig.start + .seconds(60))
  }

  @Test func `without a job that can test the network, the scheduler does not check repeatedly`() {
    var rig = SchedulerRig()
    rig.add("local", host: nil) { $0.conditions.needsACPower = true }
    let job = rig.add("a")
    var state = MachineState()
    state.isOnACPower = false
    rig.scheduler.setConditions(state, now: rig.now)
    rig.run(job, .failed(.offline))
    rig.scheduler.pause(job, now: rig.now)
    #expect(rig.due() == [])
    for minute in 1...3 {
      #expect(rig.wake() == [])
      #expect(rig.now == SchedulerRig.start + .seconds(60 * minute))
    }
    rig.scheduler.resume(job, now: rig.now)
    #expect(rig.due() == [])
    #expect(rig.wake() == ["a"])
  }

  @Test func `the learned schedule ignores a failure that was caused by the network`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .adaptive)
    let remembered = PlannedTime(dueAt: rig.now + .seconds(600), state: [1])
    _ = rig.due()
    rig.scheduler.ended(job, RunSummary(.noData), planned: remembered, now: rig.now)
    rig.advance(.seconds(600))
    #expect(rig.due() == ["a"])
    var failed = remembered
    failed.state = [2]
    rig.scheduler.ended(job, RunSummary(.failed(.offline)), planned: failed, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).adaptive == [1])
  }

  @Test func `conditions hold a job until they are met`() throws {
    var rig = SchedulerRig()
    let job = rig.add("a", host: nil) {
      $0.conditions.needsACPower = true
      $0.conditions.loadMax = 4
    }
    var state = MachineState()
    state.isOnACPower = false
    rig.scheduler.setConditions(state, now: rig.now)
    #expect(rig.due() == [])
    #expect(rig.why(job) == .acPower)
    #expect(rig.scheduler.waitsForConditions)
    state.isOnACPower = true
    state.load = 5.5
    rig.scheduler.setConditions(state, now: rig.now)
    #expect(rig.due() == [])
    #expect(rig.why(job) == .load(now: 5.5, max: 4))
    state.load = 3
    rig.scheduler.setConditions(state, now: rig.now)
    #expect(rig.due() == ["a"])
    #expect(!rig.scheduler.waitsForConditions)
  }
}
