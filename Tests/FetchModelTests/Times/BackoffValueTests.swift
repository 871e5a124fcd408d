import FetchModel
import FetchValues
import Testing

@Suite struct BackoffValueTests {
  @Test func `the longest delay doubles up to its limit`() {
    let delays = (0...9).map { Backoff.storeRead.longest(failures: $0) }
    #expect(delays == [1, 1, 2, 4, 8, 16, 32, 60, 60, 60].map(Duration.seconds))
    #expect(Backoff.storeRead.longest(failures: .max) == .seconds(60))
    #expect(Backoff.storeRead.longest(failures: .min) == .seconds(1))
  }

  @Test func `short delays precede the doubling`() {
    let backoff = Backoff(
      quick: [.seconds(2), .seconds(9)], first: .seconds(10), ceiling: .seconds(35))
    let delays = (0...6).map { backoff.longest(failures: $0) }
    #expect(delays == [2, 2, 9, 10, 20, 35, 35].map(Duration.seconds))
  }

  @Test(arguments: [(-1.0, 4000), (0, 4000), (0.5, 7000), (0.9999, 9999), (1, 10_000), (2, 10_000)])
  func `a delay is between its minimum and the longest delay`(chance: Double, milliseconds: Int) {
    let backoff = Backoff(first: .seconds(5), ceiling: .seconds(10))
    #expect(
      backoff.delay(failures: 3, floor: .seconds(4), chance: chance)
        == .milliseconds(milliseconds))
  }
}
