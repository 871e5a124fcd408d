import Testing

@testable import FetchHost

/// Tests of the number of requests above which connections are not kept. The test moves the clock.
struct ConnectionPressureTests {
  /// The number of the first requests whose connections are kept at any rate.
  private static let freeCount = EngineLane.connectionsKeptMax

  private let start = ContinuousClock.now
  private var pressure = ConnectionPressure()
  private var hostnameCount = 0

  /// Records `count` requests with the given gap, each to a hostname that had none before. Returns
  /// for each request whether its connection is not kept.
  private mutating func join(_ count: Int, every gap: Duration, from offset: Duration = .zero)
    -> [Bool]
  {
    (0..<count).map { number in
      hostnameCount += 1
      return pressure.join("\(hostnameCount).example", at: start + offset + gap * number)
    }
  }

  @Test mutating func `the first requests are not a crowd, however fast they are`() {
    let answers = join(Self.freeCount + 1, every: .zero)
    #expect(answers.dropLast().allSatisfy { !$0 })
    #expect(answers.last == true)
  }

  @Test mutating func `a crowd lasts while the rate lasts, even with gaps`() {
    _ = join(Self.freeCount, every: .zero)
    #expect(join(100, every: .microseconds(10), from: .milliseconds(400)).allSatisfy { $0 })
  }

  @Test mutating func `a crowd is over when as many requests take half a second`() {
    _ = join(Self.freeCount, every: .zero)
    #expect(join(100, every: .zero, from: .milliseconds(500)).allSatisfy { !$0 })
  }

  @Test mutating func `steady but slow requests are not a crowd`() {
    #expect(join(5_000, every: .milliseconds(4)).allSatisfy { !$0 })
  }

  @Test mutating func `a hostname with a recent request keeps its connection in a crowd`() {
    _ = join(Self.freeCount, every: .zero)
    let isClosed = (0..<2).map { _ in pressure.join("often.example", at: start) }
    #expect(isClosed == [true, false])
    _ = join(4 * Self.freeCount - 1, every: .zero)
    let isClosedLater = pressure.join("often.example", at: start)
    #expect(!isClosedLater)
  }

  @Test mutating func `a hostname without a recent request counts as new`() {
    _ = join(Self.freeCount, every: .zero)
    let isClosed = pressure.join("once.example", at: start)
    _ = join(4 * Self.freeCount, every: .zero)
    let isClosedLater = pressure.join("once.example", at: start)
    #expect(isClosed && isClosedLater)
  }
}
