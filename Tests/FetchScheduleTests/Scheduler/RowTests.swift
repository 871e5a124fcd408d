import FetchModel
import FetchValues
import Testing

@testable import FetchSchedule

/// Tests of the size of the scheduler's rows in memory. With a million jobs, the cost of a decision
/// depends on the amount of memory that the decision reads.
@Suite struct RowTests {
  @Test func `the rows that a decision reads stay within a few cache lines`() {
    #expect(MemoryLayout<JobCell>.stride <= 3 * 64)
    #expect(MemoryLayout<ScheduledJob>.stride <= 2 * 64)
    #expect(MemoryLayout<Lane>.stride <= 2 * 64)
  }

  @Test func `default values need no separate memory, even after a change`() {
    var schedule = JobSchedule()
    schedule.failingSince = Timestamp(seconds: 1)
    schedule.pausedAt = Timestamp(seconds: 2)
    schedule.feedHints.ttl = .seconds(60)
    #expect(schedule.feedHints.ttl == .seconds(60))
    #expect(schedule != JobSchedule())
    schedule.failingSince = nil
    schedule.pausedAt = nil
    schedule.feedHints = FeedHints()
    #expect(schedule == JobSchedule())
    var rare = Sparse<Pair>()
    rare.part.left = 1
    #expect(rare.unusual?.left == 1)
    rare.part.left = 0
    #expect(rare.unusual == nil)
  }

  private struct Pair: SparsePart {
    var left = 0
  }
}
