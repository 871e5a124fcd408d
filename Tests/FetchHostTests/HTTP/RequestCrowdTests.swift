import Testing

@testable import FetchHost

/// Tests when a crowd of requests stops connections from being kept; the test moves the clock.
struct RequestCrowdTests {
  private let start = ContinuousClock.now
  private var crowd = ConnectionPressure()

  /// Records that many requests at that distance; returns which of them were in a crowd.
  private mutating func join(_ count: Int, every gap: Duration, from offset: Duration = .zero)
    -> [Bool]
  {
    (0..<count).map { crowd.join(at: start + offset + gap * $0) }
  }

  @Test mutating func `the first requests are not a crowd, however fast they come`() {
    let answers = join(4 * EngineLane.connectionsKeptMax + 1, every: .zero)
    #expect(answers.dropLast().allSatisfy { !$0 })
    #expect(answers.last == true)
  }

  @Test mutating func `a crowd lasts as long as the rate, even with gaps`() {
    _ = join(4 * EngineLane.connectionsKeptMax, every: .zero)
    #expect(join(100, every: .microseconds(10), from: .seconds(1)).allSatisfy { $0 })
  }

  @Test mutating func `it is over when that many requests take two seconds`() {
    _ = join(4 * EngineLane.connectionsKeptMax, every: .zero)
    #expect(join(100, every: .zero, from: .seconds(2)).allSatisfy { !$0 })
  }

  @Test mutating func `steady but slow requests are not a crowd`() {
    #expect(join(5_000, every: .milliseconds(4)).allSatisfy { !$0 })
  }
}
