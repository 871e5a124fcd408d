import Testing

@testable import FetchHost

/// Tests of the number of requests above which connections are not kept. The test moves the clock.
struct RequestCrowdTests {
  private let start = ContinuousClock.now
  private var crowd = ConnectionPressure()

  /// Records `count` requests with the given gap. Returns whether each request was part of a crowd.
  private mutating func join(_ count: Int, every gap: Duration, from offset: Duration = .zero)
    -> [Bool]
  {
    (0..<count).map { crowd.join(at: start + offset + gap * $0) }
  }

  @Test mutating func `the first requests are not a crowd, however fast they are`() {
    let answers = join(4 * EngineLane.connectionsKeptMax + 1, every: .zero)
    #expect(answers.dropLast().allSatisfy { !$0 })
    #expect(answers.last == true)
  }

  @Test mutating func `a crowd lasts while the rate lasts, even with gaps`() {
    _ = join(4 * EngineLane.connectionsKeptMax, every: .zero)
    #expect(join(100, every: .microseconds(10), from: .seconds(1)).allSatisfy { $0 })
  }

  @Test mutating func `a crowd is over when as many requests take two seconds`() {
    _ = join(4 * EngineLane.connectionsKeptMax, every: .zero)
    #expect(join(100, every: .zero, from: .seconds(2)).allSatisfy { !$0 })
  }

  @Test mutating func `steady but slow requests are not a crowd`() {
    #expect(join(5_000, every: .milliseconds(4)).allSatisfy { !$0 })
  }
}
