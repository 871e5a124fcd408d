import FetchModel
import FetchValues
import Testing

@testable import FetchSchedule

/// The size of a row. A decision among a million jobs costs as much as the memory that it reads.
@Suite struct RowTests {
  @Test func `the rows that a decision touches stay within a few cache lines`() {
    #expect(MemoryLayout<JobCell>.stride <= 3 * 64)
    #expect(MemoryLayout<ScheduledJob>.stride <= 2 * 64)
    #expect(MemoryLayout<Lane>.stride <= 2 * 64)
  }

  @Test func `default values are not stored apart, even after a change`() {
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
