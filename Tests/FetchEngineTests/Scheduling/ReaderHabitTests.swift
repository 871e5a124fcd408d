import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import Testing

/// Adaptive jobs are fresh when somebody looks at them.
@Suite(.timeLimit(.minutes(1))) struct ReaderHabitTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench() }

  private static let jobs = """
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: adaptive}
      - {name: b, plugin: rss, options: {url: "{h2}/b"}, interval: adaptive}
    """

  /// Somebody looks each morning at eight.
  private func days(_ count: Int, _ open: OpenService, reading job: String?) async {
    for _ in 0..<count {
      await open.pass(.seconds(8 * 3600))
      ReadLog(store: bench.storePath).note(job, at: bench.now)
      await open.pass(.seconds(16 * 3600))
    }
  }

  /// On how many of the last ten days a job began a run in the two hours before eight.
  private func freshDays(_ job: String, _ open: OpenService) -> Int {
    let hour: Duration = .seconds(3600)
    let now = bench.now - ServiceBench.startAt
    return (1...10).count { day in
      let eight = now - hour * (24 * day - 8)
      return open.starts(job).contains { $0 > eight - hour * 2 && $0 <= eight }
    }
  }

  @Test func `a job is fresh when its own reader looks`() async throws {
    let first = try await bench.serve(Self.jobs)
    await days(20, first, reading: "a")
    let (own, other) = (freshDays("a", first), freshDays("b", first))
    #expect(own >= 9 && other <= 5, "\(own) and \(other) of ten days")
    try await first.stop()
    // Over a restart, too.
    let second = try await bench.serve(Self.jobs)
    await second.pass(.seconds(10 * 86_400))
    let later = freshDays("a", second)
    #expect(later >= 9, "\(later) of ten days")
    try await second.stop()
  }

  @Test func `who looks at all jobs looks at each`() async throws {
    let open = try await bench.serve(Self.jobs)
    await days(3, open, reading: "a")
    await days(20, open, reading: nil)
    let fresh = (freshDays("a", open), freshDays("b", open))
    #expect(fresh.0 >= 9 && fresh.1 >= 9, "\(fresh) of ten days")
    try await open.stop()
  }
}
