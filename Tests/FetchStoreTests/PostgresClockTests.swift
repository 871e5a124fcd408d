import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchStorePostgres

/// Tests of a store in a PostgreSQL database while this machine's clock is wrong.
@Suite(.enabled(if: PostgresServer.isInstalled), .timeLimit(.minutes(5)))
struct PostgresClockTests {
  private static func hours(_ count: Int) -> Duration { .seconds(3_600 * count) }

  private func open() async throws -> PostgresStore {
    let server = try #require(PostgresServer.shared)
    return try await PostgresStore.open(at: try server.newDatabase())
  }

  @Test func `a clock that steps neither loses nor repeats a run or an item`() async throws {
    let store = try await open()
    // The days around this time get partitions. Runs of other days share a table.
    _ = try await store.prune(Retention(), now: Runs.start)
    let steps: [Duration] = [
      .zero, Self.hours(1), Self.hours(-1), Self.hours(24), Self.hours(-24), Self.hours(24 * 30),
      Self.hours(-24 * 30), .zero,
    ]
    for (index, step) in steps.enumerated() {
      let items = (0...index).map { Runs.item("i\($0)") }
      let time = Runs.start + step
      #expect(
        try await Runs.run(index + 1, store, items: items, at: time)
          == .newData(ChangeCounts(added: 1)))
    }
    let count = steps.count
    // The newest run is the one that ended last, whatever its time.
    let runs = (1...count).reversed().map(Runs.id)
    #expect(try await store.allRuns().map(\.run) == runs)
    #expect(
      try await store.allItems(ItemQuery()).map(\.sequence).sorted() == Array(1...Int64(count)))
    // These days already have runs in the shared table.
    let later = Runs.start + Self.hours(24 * 30)
    _ = try await store.prune(Retention(), now: later)
    try await Runs.run(count + 1, store, items: [], at: later)
    #expect(try await store.allRuns().map(\.run) == [Runs.id(count + 1)] + runs)
    try await store.close()
  }

  /// Days before 1970 have no partition.
  @Test(arguments: [0, -86_400 * 400] as [Int64])
  func `a clock in or before the first day of 1970 prevents nothing`(
    seconds: Int64
  ) async throws {
    let store = try await open()
    let time = Timestamp(seconds: seconds)
    try await store.onQueue { writer throws(StoreError) in
      try writer.makePartitions(around: time)
    }
    let outcome = try await Runs.run(1, store, items: [Runs.item("a")], at: time)
    #expect(outcome == .newData(ChangeCounts(added: 1)))
    #expect(try await store.allRuns().map(\.startedAt) == [time])
    try await store.close()
  }

  @Test func `retention is due again after the clock was set back by an hour`() async throws {
    let store = try await open()
    try await Runs.run(1, store, items: [Runs.item("a")])
    let now = Runs.start + Self.hours(48)
    for time in [now + Self.hours(1), now] {
      var progress = RetentionProgress.goesOn
      var stepCount = 0
      while progress == .goesOn {
        progress = try await store.keepUp(nil, now: time)
        stepCount += 1
      }
      #expect(stepCount > 1)
      #expect(progress == .rests(until: time + Self.hours(24)))
    }
    #expect(try await store.allRuns().count == 1)
    try await store.close()
  }

  @Test func `a difference of an hour between both clocks is named as a weakness`() async throws {
    let store = try await open()
    /// Whether the difference is named. The server's answer may take some seconds.
    func isNamed(_ place: String, _ weaknesses: [String]) -> Bool {
      (3_590...3_610).contains { seconds in
        weaknesses.contains(
          "the server of the store \(store.address.path) has a clock that is \(seconds) s \(place)"
            + " this machine's: set both by NTP")
      }
    }
    let behind = try await store.facts { PostgresStore.now + Self.hours(1) }.weaknesses
    #expect(isNamed("behind", behind), "\(behind)")
    let ahead = try await store.facts { PostgresStore.now + Self.hours(-1) }.weaknesses
    #expect(isNamed("ahead of", ahead), "\(ahead)")
    let right = try await store.facts().weaknesses
    #expect(right.contains { $0.contains("has a clock") } == false)
    try await store.close()
  }
}
