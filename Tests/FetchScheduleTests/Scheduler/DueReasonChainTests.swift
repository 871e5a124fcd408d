import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchSchedule

/// Tests that a due time keeps each reason that set or moved it.
@Suite struct DueReasonChainTests {
  private func minutes(_ count: Int64) -> Timestamp { SchedulerRig.start + .seconds(60 * count) }

  /// Returns a job whose learned schedule gave 10:12, which was then moved to 10:30 and 10:42.
  private func moved() throws -> (rig: SchedulerRig, job: JobNumber) {
    var rig = SchedulerRig()
    let window = try DayWindow(parsing: "10:42-10:01")
    let job = rig.add("a", .adaptive, host: nil) {
      $0.runTimes = RunTimes(windows: [window], zone: .utc)
    }
    _ = rig.due()
    rig.scheduler.ended(
      job, RunSummary(.noData),
      planned: PlannedTime(dueAt: minutes(30), hint: .ttl, chosenAt: minutes(12)), now: rig.now)
    return (rig, job)
  }

  @Test func `explain lists each reason that moved a due time`() throws {
    let (rig, job) = try moved()
    let due = try #require(rig.scheduler.schedule(of: job).dueTime)
    #expect(due.at == minutes(42))
    #expect(due.reasons.map(\.at) == [minutes(12), minutes(30), minutes(42)])
    #expect(due.reasons.map(\.reason) == [.adaptive, .hint(.ttl), .runTimes])
    #expect(
      rig.scheduler.explain(job, now: rig.now)[1]
        == "Due at 2026-11-20T10:42:00Z: the learned schedule gave 10:12:00, the feed's ttl moved it"
        + " to 10:30:00, its run times to 10:42:00.")
  }

  @Test(arguments: [
    (AdaptiveBound.intervalMin, "at the shortest interval that it may choose"),
    (.intervalMax, "at the longest interval that it may choose"),
    (.window, "before new items can push unread ones out of the feed"),
  ]) func `explain names the bound that set a learned time`(bound: AdaptiveBound, words: String)
    throws
  {
    var rig = SchedulerRig()
    let job = rig.add("a", .adaptive, host: nil)
    _ = rig.due()
    rig.scheduler.ended(
      job, RunSummary(.noData), planned: PlannedTime(dueAt: minutes(12), bound: bound), now: rig.now
    )
    let schedule = rig.scheduler.schedule(of: job)
    #expect(
      rig.scheduler.explain(job, now: rig.now)[0].contains("by its learned schedule, \(words)"),
      "\(rig.scheduler.explain(job, now: rig.now))")
    #expect(schedule.dueReason.word == "adaptive")
    #expect(try JobSchedule(encoded: schedule.encoded).dueReason == .learned(bound))
  }

  @Test func `the reasons are stored, and a schedule without them has only the last one`() throws {
    let (rig, job) = try moved()
    var schedule = rig.scheduler.schedule(of: job)
    #expect(try JobSchedule(encoded: schedule.encoded).dueTime == schedule.dueTime)
    schedule.earlierReasons = []
    #expect(
      try JobSchedule(encoded: schedule.encoded).dueTime?.reasons
        == [DueTime.Link(at: minutes(42), reason: .runTimes)])
  }

  @Test func `at most five reasons are kept: the first one and the latest ones`() {
    var schedule = JobSchedule()
    schedule.dueAt = minutes(1)
    let reasons: [DueReason] =
      [.interval, .hint(.ttl), .retryAfter, .runTimes, .catchUp, .conditions]
    for (place, reason) in reasons.enumerated() {
      schedule.moveDue(to: minutes(Int64(place + 2)), reason)
    }
    #expect(
      schedule.dueTime?.reasons.map(\.reason)
        == [.firstRun, .retryAfter, .runTimes, .catchUp, .conditions])
  }

  @Test func `a job that waited past its window keeps the reason of its due time`() throws {
    var rig = SchedulerRig()
    let window = try DayWindow(parsing: "10:00-10:20")
    let job = rig.add("a", .every(.seconds(600)), host: nil) {
      $0.runTimes = RunTimes(windows: [window], zone: .utc)
    }
    _ = rig.due()
    rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    rig.advance(.seconds(3600))
    #expect(rig.due().isEmpty)
    #expect(
      rig.scheduler.schedule(of: job).dueTime?.reasons.map(\.reason).last == .runTimes)
    #expect((rig.scheduler.schedule(of: job).dueTime?.reasons.count ?? 0) > 1)
  }

  @Test func `a new due time has one reason`() throws {
    var (rig, job) = try moved()
    _ = rig.scheduler.trigger(job, .manual, now: rig.now)
    #expect(rig.scheduler.schedule(of: job).dueTime?.reasons.map(\.reason) == [.triggered(.manual)])
    #expect(rig.scheduler.schedule(of: job).earlierReasons.isEmpty)
  }

  @Test func `a requested run that is cancelled does not change the reasons`() throws {
    var (rig, job) = try moved()
    let before = rig.scheduler.schedule(of: job).dueTime
    for _ in 0..<2 {
      _ = rig.scheduler.trigger(job, .manual, now: rig.now)
      rig.run(job, .failed(.cancelled))
      #expect(rig.scheduler.schedule(of: job).dueTime == before)
      #expect(before?.reasons.count == 3)
    }
  }

  @Test func `the reason of a due time after a cancelled run includes the earlier due time`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job)
    rig.advance(.seconds(900))
    rig.run(job, .failed(.cancelled))
    let first = rig.scheduler.schedule(of: job).dueTime
    #expect(first?.reasons.map(\.reason) == [.interval, .cancelled])
    #expect(
      first?.sentence?.hasSuffix(
        ": its interval gave 10:15:00, its cancelled run moved it to 10:16:00")
        == true, "\(first?.sentence ?? "")")
    // A second move for the same reason adds no reason.
    rig.advance(.seconds(60))
    rig.run(job, .failed(.cancelled))
    #expect(
      rig.scheduler.schedule(of: job).dueTime?.reasons.map(\.reason) == [.interval, .cancelled])
  }
}
