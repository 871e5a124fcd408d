import FetchEngine
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Testing

/// Tests that adaptive jobs run shortly before the time at which a person usually reads the jobs'
/// items.
@Suite(.timeLimit(.minutes(5))) struct ReaderHabitTests {
  let bench: ServiceBench

  init() throws {
    bench = try ServiceBench()
    let clock = bench.clock
    for place in ["h1/a", "h2/b"] {
      bench.site.at(place) { _ in .init(body: Self.feed(ServiceBench.startAt + clock.now.offset)) }
    }
  }

  /// Returns a feed with an item every 41 hours, 22 minutes and 37 seconds. With this period, the
  /// items are spread evenly over the minutes of the hour, the hours of the day and the days of the
  /// week.
  private static func feed(_ now: Timestamp) -> String {
    let period: Int64 = 148_957
    let newest = now.seconds / period
    let items = (newest - 4...newest).map { number in
      #"{"id":"\#(number)","date_published":"\#(Timestamp(seconds: number * period))"}"#
    }
    return #"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":["#
      + items.joined(separator: ",") + "]}"
  }

  private static let jobs = """
    jobs:
      - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: adaptive}
      - {name: b, plugin: rss, options: {url: "{h2}/b"}, interval: adaptive}
    """

  /// Simulates days on which a person reads each morning at eight.
  private func days(_ count: Int, _ open: OpenService, reading job: JobName?) async {
    for _ in 0..<count {
      await open.pass(.seconds(8 * 3600))
      ReadLog(StateFolder(of: .file(bench.storePath))).note(job, at: bench.now)
      await open.pass(.seconds(16 * 3600))
    }
  }

  /// Returns the number of the last ten days on which a run of the job began in the 45 minutes
  /// before eight.
  private func freshDays(_ job: JobName, _ open: OpenService) -> Int {
    let hour: Duration = .seconds(3600)
    let now = bench.now - ServiceBench.startAt
    return (1...10).count { day in
      let eight = now - hour * (24 * day - 8)
      return open.starts(job).contains { $0 > eight - .seconds(2700) && $0 <= eight }
    }
  }

  @Test func `a job has run shortly before its own reader reads it`() async throws {
    let first = try await bench.serve(Self.jobs)
    await days(20, first, reading: "a")
    let (own, other) = (freshDays("a", first), freshDays("b", first))
    #expect(own >= 9 && other <= 5, "\(own) and \(other) of ten days")
    try await first.stop()
    // The habit survives a restart.
    let second = try await bench.serve(Self.jobs)
    await second.pass(.seconds(10 * 86_400))
    let later = freshDays("a", second)
    #expect(later >= 9, "\(later) of ten days")
    try await second.stop()
  }

  @Test func `a read of all jobs counts for each`() async throws {
    let open = try await bench.serve(Self.jobs)
    await days(3, open, reading: "a")
    await days(20, open, reading: nil)
    let fresh = (freshDays("a", open), freshDays("b", open))
    #expect(fresh.0 >= 9 && fresh.1 >= 9, "\(fresh) of ten days")
    try await open.stop()
  }
}
