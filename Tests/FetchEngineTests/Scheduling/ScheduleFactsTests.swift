import FetchSchedule
import FetchStore
import FetchValues
import Testing

/// Tests of the facts that a store reads from the scheduler's stored bytes.
@Suite struct ScheduleFactsTests {
  private func stored(_ change: (inout JobSchedule) -> Void) -> StoredSchedule {
    var schedule = JobSchedule()
    change(&schedule)
    return StoredSchedule(schedule.encoded)
  }

  @Test func `due time, pause and failures equal those of the schedule`() {
    let (due, pause) = (Timestamp(seconds: 1_800_000_000), Timestamp(seconds: 1_700_000_000))
    let busy = stored { schedule in
      schedule.dueAt = due
      schedule.pausedAt = pause
      schedule.failureCount = 3
      schedule.lastStartAt = Timestamp(seconds: 1)
      schedule.failingSince = Timestamp(seconds: 2)
      schedule.lastPushAt = Timestamp(seconds: 3)
    }
    #expect(busy.facts == ScheduleFacts(dueAt: due, pausedAt: pause, failureCount: 3))
    let idle = stored { _ in }
    #expect(idle.facts == ScheduleFacts(dueAt: nil, pausedAt: nil, failureCount: 0))
  }

  @Test(arguments: [[], [0], [255, 255], Value.array([1, 2]).encoded])
  func `invalid bytes give no facts`(content: [UInt8]) {
    #expect(StoredSchedule(content).facts == nil)
  }
}
