import Testing

@testable import FetchHost

/// When connections without a follower are not kept: by a clock that the test turns.
struct RequestCrowdTests {
  private let start = ContinuousClock.now
  private var crowd = ConnectionPressure()

  /// Joins so many times, so far apart; which of them were in a crowd.
  private mutating func join(_ count: Int, every gap: Duration, from offset: Duration = .zero)
    -> [Bool]
  {
    (0..<count).map { crowd.join(at: start + offset + gap * $0) }
  }

  @Test mutating func `the first ones are no crowd, however fast they come`() {
    let answers = join(4 * EngineLane.connectionsKeptMax + 1, every: .zero)
    #expect(answers.dropLast().allSatisfy { !$0 })
    #expect(answers.last == true)
  }

  @Test mutating func `a crowd lasts while they come as fast, gaps among them or not`() {
    _ = join(4 * EngineLane.connectionsKeptMax, every: .zero)
    #expect(join(100, every: .microseconds(10), from: .seconds(1)).allSatisfy { $0 })
  }

  @Test mutating func `it is over when so many take two seconds`() {
    _ = join(4 * EngineLane.connectionsKeptMax, every: .zero)
    #expect(join(100, every: .zero, from: .seconds(2)).allSatisfy { !$0 })
  }

  @Test mutating func `who comes steadily but slowly is in none`() {
    #expect(join(5_000, every: .milliseconds(4)).allSatisfy { !$0 })
  }
}
