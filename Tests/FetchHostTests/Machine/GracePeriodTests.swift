import FetchHost
import Testing

@Suite struct GracePeriodTests {
  @Test(arguments: [
    (30_000, 30_000, 27_000), (15_000, 15_000, 12_000), (10_000, 10_000, 8_000),
    (2_000, 2_000, 1_600), (1_700, 2_000, 1_600), (1_000, 2_000, 1_000), (100, 2_000, 100),
    (0, 2_000, 0), (-1_000, 2_000, 0), (3_600_000, 3_600_000, 3_597_000),
  ])
  func `the process ends within the grace period, and the runs end early enough to be recorded`(
    asked: Int, end: Int, runs: Int
  ) {
    let period = GracePeriod(.milliseconds(asked))
    #expect(period.end == .milliseconds(end))
    #expect(period.runs == .milliseconds(runs))
  }
}
