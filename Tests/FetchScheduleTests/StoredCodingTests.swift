import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchSchedule

/// Tests of the bytes in stores of this version and of earlier versions. These bytes must remain
/// readable.
@Suite struct StoredCodingTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The stored bytes in hexadecimal digits.
    let stored: String
    let encoded: [UInt8]
    /// Returns whether the bytes are a value that survives another encoding and decoding unchanged.
    /// Returns nil if the bytes are not a value.
    let survives: @Sendable ([UInt8]) -> Bool?
    /// Returns whether the bytes are the encoding of the example.
    let isExample: @Sendable ([UInt8]) -> Bool

    init<T: StoredCoding & Equatable & Sendable>(_ value: T, _ stored: String) {
      testDescription = "\(T.self)"
      self.stored = stored.filter { !$0.isWhitespace }
      encoded = value.encoded
      survives = { bytes in
        guard let read = try? T(encoded: bytes) else { return nil }
        return (try? T(encoded: read.encoded)) == read
      }
      isExample = { (try? T(encoded: $0)) == value }
    }
  }

  static let examples = [
    Example(
      state,
      """
      0617000000090302040000000000000c4004000000000018f540040000000000002840040000000000001140
      060400000004000000000000000004000000000000b03f04000000000000c03f04000000000000c83f084800
      0200000000000000000000000000000000000000000000000000000000000000000000000000000080000000
      0000000000000000800100000000400000003f0000803f0000e040060400000004000000000000e03f040000
      00000000f83f040000000000000440040000000000000c400609000000040000000000000000040000000000
      00a03f04000000000000b03f04000000000000b83f04000000000000c03f04000000000000c43f0400000000
      0000c83f04000000000000cc3f04000000000000d03f0300000000000100000903040000000000448f400400
      00000000409f40040000000000208c40000932083000c8d0d5d8dbdddee0e1e3e4e5e6e6e7e8e9e9eaebebec
      ecededeeeeeeefeff0f0f0f1f1f1f2f2f2f3f3f3f3f4f4f4f40602000000040000000000004e400400000000
      c41bf540040000000000000040060500000004000000000000e03f04000000000000d03f04000000000000c0
      3f0400000000000000000400000000000000000400000000000089400902
      """),
    Example(
      shared,
      """
      060a000000090104000000000000f03f080e8000008000000000e0400000f841063000000004000000000000
      000004000000000000000004000000000000000004000000000000e03f040000000000000000040000000000
      0000000400000000000000000400000000000000000400000000000000000400000000000000000400000000
      0000000004000000000000000004000000000000000004000000000000000004000000000000000004000000
      0000000000040000000000000000040000000000000000040000000000000000040000000000000000040000
      0000000000000400000000000000000400000000000000000400000000000000000400000000000000000400
      0000000000000004000000000000000004000000000000000004000000000000000004000000000000000004
      0000000000000000040000000000000000040000000000000000040000000000000000040000000000000000
      0400000000000000000400000000000000000400000000000000000400000000000000000400000000000000
      0004000000000000000004000000000000000004000000000000000004000000000000000004000000000000
      000004000000000000000004000000000000000004000000000000000004000000000000d0bf040000000000
      00f83f040000000000408f400618000000040000000000000000040000000000000000040000000000000000
      0400000000000000000400000000000000000400000000000000000400000000000000000400000000000000
      0004000000000000000004000000000000000004000000000000000004000000000000000004000000000000
      0000040000000000000000040000000000000000040000000000000000040000000000000000040000000000
      0000000400000000000000000400000000000000000400000000000000000400000000000000000400000000
      0000000004000000000000f0bf032c0100000000000003a700000000000000
      """),
    Example(
      usage,
      """
      0605000000090108200100000000000000000000000000000000000000000000800000c03f00000040040000
      00000000144004000000000000f43f040000000080842e41
      """),
    Example(
      schedule,
      """
      061400000003010d66f8a101000008076261636b4f6666090303020d66f8a10100000003040d66f8a1010000
      03050d66f8a1010000090303060d66f8a10100000804676f6e6503070d66f8a1010000030000000000010000
      040000000000000040040000000000000c4004000000000000d03f0400000000000089400605000000038403
      00000000000003100e000000000000093c09030901080301020308020405060600000003000d66f8a1010000
      08086164617074697665090003000d66f8a1010000080374746c0900
      """),
    Example(
      marks,
      """
      06040000000902032c0100000000000003000d66f8a10100000905
      """),
    Example(
      hints,
      """
      060500000003840300000000000003100e000000000000093c09030901
      """),
    Example(
      retention,
      """
      0606000000091400032c01000000000000036d010000000000000300000000000100000900
      """),
  ]

  @Test(arguments: examples) func `the stored bytes never change`(example: Example) {
    #expect(Hexadecimal.text(of: example.encoded) == example.stored)
    #expect(example.isExample(example.encoded))
  }

  @Test(arguments: examples) func `truncated bytes are an error`(example: Example) {
    for count in example.encoded.indices {
      #expect(example.survives(Array(example.encoded.prefix(count))) == nil)
    }
  }

  @Test(arguments: examples) func `changed bytes are an error or a value`(example: Example) {
    var chance = SeededGenerator(seed: 7)
    var (readCount, refusedCount) = (0, 0)
    for _ in 0..<3000 {
      var bytes = example.encoded
      for _ in 0...chance.below(3) {
        bytes[chance.below(bytes.count)] = UInt8(truncatingIfNeeded: chance.next())
      }
      switch example.survives(bytes) {
      case true?: readCount += 1
      case false?: Issue.record("\(Hexadecimal.text(of: bytes)) is read differently again")
      case nil: refusedCount += 1
      }
    }
    #expect(readCount > 100 && refusedCount > 100)
  }

  // MARK: Examples

  private static let state: AdaptiveState = {
    var state = AdaptiveState(datesItems: true)
    state.rate = RateBelief(events: 3.5, exposure: 86_400) ?? state.rate
    (state.items, state.events) = (12, 4.25)
    state.profile.trust = ShapeVector((0..<WeekShapes.count).map { Double($0) / 16 })
    (state.profile.counts.hours[9], state.profile.counts.watched[167]) = (2, 0.5)
    (state.profile.counts.quarters[95], state.profile.counts.fives[0]) = (1, 7)
    let sums = BurstBelief.memories.indices.map { Double($0) + 0.5 }
    let trust = (0..<BurstBelief.count).map { Double($0) / 32 }
    state.bursts = BurstBelief(sums: sums, trust: trust) ?? state.bursts
    (state.runs, state.failures) = (1 << 40, 3)
    (state.failingSince, state.retryAt) = (1000.5, 2000)
    (state.lastGoodAt, state.lastEventAt) = (900, nil)
    state.window = 50
    state.demand = DemandLevels((0..<AdaptiveShared.hourCount).map(Double.init))
    state.timetable =
      TimetableBelief(marks: [60, 86_460.25], leads: 2, trust: [0.5, 0.25, 0.125, 0, 0])
      ?? state.timetable
    state.modified = ModifiedBelief(lastAt: 800, doubts: 2) ?? state.modified
    return state
  }()

  private static let shared: AdaptiveShared = {
    var shared = AdaptiveShared(requestsPerHour: 3600)
    let counts = (0..<48).map { $0 % 24 == 7 ? Float($0) : 0 }
    shared.pool = PooledProfile(counts: counts) ?? shared.pool
    shared.demand[3] = 0.5
    (shared.proportional, shared.integral) = (-0.25, 1.5)
    shared.settledAt = 1000
    shared.hourLogs[23] = -1
    (shared.taken, shared.hour) = (300, 167)
    return shared
  }()

  private static let usage: UsageProfile = {
    var counts = [Float](repeating: 0, count: UsageProfile.binCount)
    (counts[0], counts[191]) = (1.5, 2)
    return UsageProfile(counts: counts, weekdays: 5, weekends: 1.25, watchedUntil: 1e6)
  }()

  private static let schedule: JobSchedule = {
    let now = SchedulerRig.start
    var schedule = JobSchedule()
    schedule.dueAt = now + .milliseconds(1)
    schedule.dueReason = .backOff(3)
    schedule.lastStartAt = now + .milliseconds(2)
    schedule.lastNewDataAt = now + .milliseconds(4)
    schedule.failingSince = now + .milliseconds(5)
    schedule.failureCount = 3
    schedule.pausedAt = now + .milliseconds(6)
    schedule.pauseCause = .gone
    schedule.lastPushAt = now + .milliseconds(7)
    schedule.runCount = 1 << 40
    schedule.estimate = RunCost(
      requests: 2, bytes: 3.5, cpuMilliseconds: 0.25, runMilliseconds: 800)
    schedule.feedHints = hints
    schedule.quota = [1, 2, 3]
    schedule.goneSource = [4, 5]
    schedule.earlierReasons = [
      DueTime.Link(at: now, reason: .adaptive), DueTime.Link(at: now, reason: .hint(.ttl)),
    ]
    return schedule
  }()

  private static let marks: LaneMarks = {
    var marks = LaneMarks(forbiddenCount: 2, stormCount: 300)
    marks.closedUntil = SchedulerRig.start
    marks.closure = .forbidden(5)
    return marks
  }()

  private static let hints: FeedHints = {
    var hints = FeedHints()
    hints.ttl = .seconds(900)
    hints.setUpdates(every: .seconds(3600), from: Timestamp(seconds: 60))
    hints.skipHours = 3
    hints.skipDays = 1
    return hints
  }()

  private static let retention: Retention = {
    var retention = Retention()
    (retention.versionCount, retention.runDays, retention.itemDays) = (20, nil, 300)
    (retention.tombstoneDays, retention.bytesMax, retention.jobBytesMax) = (365, 1 << 40, 0)
    return retention
  }()
}
