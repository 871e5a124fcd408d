import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct JobScheduleTests {
  private static let reasons: [DueReason] =
    [
      .firstRun, .interval, .cron, .adaptive, .retryAfter, .backOff(3), .probe(40), .runTimes,
      .catchUp, .resumed, .sourceChanged, .conditions, .abandoned, .cancelled,
    ] + SourceHint.allCases.map(DueReason.hint) + TriggerKind.allCases.map(DueReason.triggered)
    + AdaptiveBound.allCases.map(DueReason.learned)

  private func read(_ bytes: [UInt8]) -> Result<JobSchedule, ValueError> {
    Result { () throws(ValueError) in try JobSchedule(encoded: bytes) }
  }

  private func full(_ reason: DueReason) -> JobSchedule {
    let now = SchedulerRig.start
    var schedule = JobSchedule()
    schedule.dueAt = now + .milliseconds(1)
    schedule.dueReason = reason
    schedule.lastStartAt = now + .milliseconds(2)
    schedule.lastSuccessAt = now + .milliseconds(3)
    schedule.lastNewDataAt = now + .milliseconds(4)
    schedule.failingSince = now + .milliseconds(5)
    schedule.failureCount = 3
    schedule.pausedAt = now + .milliseconds(6)
    schedule.pauseCause = .gone
    schedule.lastPushAt = now + .milliseconds(7)
    schedule.runCount = 1 << 40
    schedule.estimate = RunCost(
      requests: 2, bytes: 3.5, cpuMilliseconds: 0.25, runMilliseconds: 800)
    schedule.feedHints.ttl = .seconds(900)
    schedule.feedHints.setUpdates(every: .seconds(3600), from: now)
    schedule.feedHints.skipHours = 3
    schedule.feedHints.skipDays = 1
    return schedule
  }

  @Test func `an encoded schedule is read back`() {
    #expect(read(JobSchedule().encoded) == .success(JobSchedule()))
    for reason in Self.reasons {
      #expect(read(full(reason).encoded) == .success(full(reason)))
    }
    var quota = full(.interval)
    quota.quota = Array(0...255)
    #expect(read(quota.encoded) == .success(quota))
    #expect(read(without(quota).encoded) == .success(without(quota)))
    quota.goneSource = Array(0...15)
    #expect(read(quota.encoded) == .success(quota))
    quota.quota = []
    #expect(read(without(quota).encoded) == .success(without(quota)))
  }

  @Test func `the learned state is stored elsewhere`() {
    var schedule = full(.adaptive)
    schedule.adaptive = Array(0...255)
    #expect(read(schedule.encoded) == .success(full(.adaptive)))
  }

  private func without(_ schedule: JobSchedule) -> JobSchedule {
    var schedule = schedule
    schedule.feedHints = FeedHints()
    return schedule
  }

  @Test func `truncated or changed bytes are an error or a schedule, never a trap`() {
    let bytes = full(.backOff(3)).encoded
    for length in bytes.indices {
      #expect((try? read(Array(bytes.prefix(length))).get()) == nil)
    }
    var chance = SeededGenerator(seed: 5)
    for _ in 0..<5000 {
      var changed = bytes
      changed[chance.below(bytes.count)] = UInt8(truncatingIfNeeded: chance.next())
      guard case .success(let schedule) = read(changed) else { continue }
      var rig = SchedulerRig()
      let job = rig.add("a", .every(.seconds(60)), host: nil, schedule)
      rig.scheduler.resume(job, now: rig.now)
      rig.run(job, .failed(.pluginError))
      _ = rig.scheduler.explain(job, now: rig.now)
    }
  }

  @Test func `after a restart, the schedule continues unchanged`() {
    var rig = SchedulerRig()
    let job = rig.add("a")
    rig.run(job, .failed(.pluginError))
    let before = rig.scheduler.schedule(of: job)
    guard case .success(let restored) = read(before.encoded) else { return }
    var again = SchedulerRig()
    let other = again.add("a", host: "example.org", restored)
    #expect(again.why(other) == rig.why(job))
    #expect(again.scheduler.nextWake == rig.scheduler.nextWake)
  }
}
