import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

/// Tests of a store that refuses runs. No job counts as failed. While the store is full, one job at
/// a time tries the store again. While the store is lost, no job runs.
@Suite struct StoreTroubleTests {
  private let full = StoreTrouble("the store is full: free space on its disk", mayPass: true)
  private let lost = StoreTrouble("the store was deleted: restore a copy of it", mayPass: false)

  /// Starts the due jobs. The store refuses the run of `job`.
  private func refuse(
    _ job: JobNumber, _ trouble: StoreTrouble, in rig: inout SchedulerRig
  ) {
    _ = rig.due()
    rig.scheduler.storeRefused(
      job, RunSummary(.failed(.storeUnavailable)), trouble, before: nil, now: rig.now)
    // The job is due, but is delayed.
    _ = rig.due()
  }

  @Test func `a full store is no failure of a job, and one job at a time tries the store again`() {
    var rig = SchedulerRig()
    let jobs = (0..<3).map { rig.add("job\($0)", host: "host\($0).example") }
    _ = rig.due()
    for job in jobs { refuse(job, full, in: &rig) }
    #expect(rig.due() == [])
    for job in jobs { #expect(rig.scheduler.schedule(of: job).failureCount == 0) }
    let probeAt = rig.now + .seconds(60)
    #expect(rig.why(jobs[1]) == .store(full, since: rig.now, probeAt: probeAt))
    #expect(
      rig.whyText(jobs[1])
        == "the store has not been writable since 2026-11-20T10:00:00Z: the store is "
        + "full: free space on its disk; one job tries again at 2026-11-20T10:01:00Z (in 1m)")
    var waits: [Duration] = []
    for _ in 0..<6 {
      let before = rig.now
      let names = rig.wake()
      waits.append(rig.now - before)
      #expect(names.count == 1)
      for job in names.compactMap({ rig.scheduler.number(of: $0) }) { refuse(job, full, in: &rig) }
    }
    #expect(waits == [60, 120, 240, 480, 600, 600].map { .seconds($0) })
  }

  @Test func `when the store accepts a run, all jobs return spread out`() {
    var rig = SchedulerRig()
    let jobs = (0..<50).map { rig.add("job\($0)", host: "host\($0).example") }
    _ = rig.due()
    for job in jobs { refuse(job, full, in: &rig) }
    let probe = rig.wake()
    guard let job = probe.first.flatMap({ rig.scheduler.number(of: $0) }) else {
      Issue.record("no job tried the store")
      return
    }
    rig.scheduler.ended(job, RunSummary(.newData), now: rig.now)
    rig.scheduler.storeTook(job, now: rig.now)
    #expect(rig.scheduler.storeTrouble == nil)
    var (started, most) = (0, 0)
    let back = rig.now
    while let next = rig.scheduler.nextWake, next < back + .seconds(6) {
      let count = rig.wake().count
      (started, most) = (started + count, max(most, count))
    }
    #expect(started == 49 && most < 10)
  }

  @Test func `a store that soon fails again continues with its last delay`() {
    var rig = SchedulerRig()
    let large = rig.add("large", host: "a.example")
    let small = rig.add("small", .never, host: "b.example")
    var waits: [Duration] = []
    for _ in 0..<4 {
      refuse(large, full, in: &rig)
      let before = rig.now
      #expect(rig.wake() == ["large"])
      waits.append(rig.now - before)
      rig.scheduler.storeTook(small, now: rig.now)
    }
    #expect(waits == [60, 240, 600, 600].map { .seconds($0) })
    rig.advance(.seconds(3600))
    refuse(large, full, in: &rig)
    #expect(rig.scheduler.nextWake == rig.now + .seconds(60))
  }

  @Test func `the schedule of a run that the store refused is restored`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    _ = rig.due()
    let before = rig.scheduler.schedule(of: job)
    rig.scheduler.ended(job, RunSummary(.newData), now: rig.now)
    #expect(rig.scheduler.schedule(of: job).lastSuccessAt == rig.now)
    rig.scheduler.storeRefused(
      job, RunSummary(.newData), full, before: before, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).lastSuccessAt == nil)
    #expect(rig.due() == [])
    rig.advance(.seconds(60))
    #expect(rig.due() == ["a"])
  }

  @Test func `if the store cannot record that a source is gone, the source is fetched again`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    _ = rig.due()
    let before = rig.scheduler.schedule(of: job)
    var summary = RunSummary(.failed(.httpStatus))
    summary.httpStatus = 410
    rig.scheduler.ended(job, summary, now: rig.now)
    rig.scheduler.storeRefused(job, summary, full, before: before, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).pausedAt == nil)
    #expect(rig.due() == [])
    rig.advance(.seconds(60))
    #expect(rig.due() == ["a"])
  }

  @Test func `a requested run of a disabled job takes place when the store has space`() {
    var rig = SchedulerRig()
    let job = rig.add("a", .never) { $0.isEnabled = false }
    _ = rig.scheduler.trigger(job, .manual, now: rig.now)
    refuse(job, full, in: &rig)
    // The gap after the job's first request must pass.
    rig.advance(.seconds(1))
    rig.scheduler.hastenStoreProbe(now: rig.now)
    #expect(rig.due() == ["a"])
  }

  @Test func `while the store is lost nothing runs, and every job gives the reason`() {
    var rig = SchedulerRig()
    let first = rig.add("a", host: "a.example")
    let later = rig.add("b", host: "b.example")
    rig.run(later)
    let paused = rig.add("c", host: "c.example")
    rig.scheduler.pause(paused, now: rig.now)
    rig.advance(.seconds(900))
    refuse(first, lost, in: &rig)
    rig.scheduler.ended(later, RunSummary(.noData), now: rig.now)
    rig.advance(.seconds(900_000))
    #expect(rig.due() == [])
    #expect(rig.scheduler.nextWake == nil)
    for job in [first, later] {
      #expect(
        rig.whyText(job)
          == "the store has not been writable since 2026-11-20T10:15:00Z: the store was "
          + "deleted: restore a copy of it; no job runs until fetchrun is restarted")
    }
    #expect(
      rig.whyText(paused) == "it has been paused since 2026-11-20T10:00:00Z")
  }

  @Test func `a permanent fault of the store is not hidden by a temporary one`() {
    var rig = SchedulerRig()
    let jobs = (0..<3).map { rig.add("job\($0)", host: "host\($0).example") }
    _ = rig.due()
    for (job, trouble) in zip(jobs, [full, lost, full]) { refuse(job, trouble, in: &rig) }
    #expect(rig.scheduler.storeTrouble == lost)
    rig.advance(.seconds(86_400))
    #expect(rig.due() == [])
  }
}
