import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the adaptive schedule of a job. Two tests simulate 90 days of the job with a hub, and
/// compare these days with 90 days of the same job without a hub.
@Suite struct PushedScheduleTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let end = start + .seconds(90 * 86_400)

  /// The runs of a simulated job.
  private struct Days {
    var polls: [Timestamp] = []
    var pushes: [Timestamp] = []
    /// The time from each item's publication to the run that found the item.
    var delays: [Duration] = []

    var requestCount: Int { polls.count + pushes.count }
    /// The longest time in which the source was not read, neither by a poll nor after a push.
    var longestPause: Duration {
      let runs = (polls + pushes).sorted()
      return zip(runs, runs.dropFirst()).map { $1 - $0 }.max() ?? .zero
    }
  }

  /// Returns random times at which a source publishes.
  private func times(perDay count: Double) -> [Timestamp] {
    var state: UInt64 = 42
    return (0..<Int(count * 90)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Self.start + .milliseconds(Int64(state >> 20) % (90 * 86_400_000))
    }.sorted()
  }

  /// Runs the job at its due times. With a hub, each item is also pushed two seconds after its
  /// publication, unless the hub is silent at the time of the publication.
  private func days(
    perDay: Double, hasHub: Bool, isSilent: (Timestamp) -> Bool = { _ in false }
  ) -> Days {
    let items = times(perDay: perDay)
    let job = ScheduledJob(name: "news", interval: .adaptive, hostname: "a.example")
    var learned = LearnedSchedules()
    var schedule = JobSchedule()
    var trust = PushTrust()
    var days = Days()
    var (seen, pushed) = (0, 0)
    var dueAt = Self.start
    while true {
      while hasHub, pushed < items.count, isSilent(items[pushed]) { pushed += 1 }
      let push = hasHub && pushed < items.count ? items[pushed] + .seconds(2) : Self.end
      let now = min(push, dueAt)
      guard now < Self.end else { return days }
      let isPush = push <= dueAt
      if isPush { pushed += 1 }
      let new = items[seen...].prefix { $0 <= now }
      seen += new.count
      days.delays += new.map { now - $0 }
      if isPush { days.pushes.append(now) } else { days.polls.append(now) }
      if !new.isEmpty { if isPush { trust.notePushed(at: now) } else { trust.noteMissed(at: now) } }
      if hasHub { learned.pushedShares["news"] = trust.share(at: now) }
      var facts = RunFacts()
      facts.newTimes = Array(new)
      (facts.newCount, facts.shownCount) = (new.count, 30)
      let record = RunRecord(
        run: RunID(startedAt: now, random: (1, 2)), job: "news", plugin: "rss",
        trigger: isPush ? .push : .schedule,
        outcome: new.isEmpty
          ? .noData(.sameItems) : .newData(ChangeCounts(added: new.count)), startedAt: now)
      guard
        let planned = learned.plan(
          job, schedule, record, facts, SourceHints(), bucket: nil, jitter: Jitter(), now: now)
      else { return days }
      schedule.adaptive = planned.state
      dueAt = planned.dueAt
    }
  }

  /// Even a quiet source is read once a day, so pushes save fewer requests at a quiet source.
  /// `share` is the permitted share of the requests without a hub.
  @Test(arguments: [(0.25, 0.43), (1, 0.29), (4, 0.25)])
  func `a pushed job is read less often, at least once a day, and its news is not late`(
    perDay: Double, share: Double
  ) {
    let alone = days(perDay: perDay, hasHub: false)
    let pushed = days(perDay: perDay, hasHub: true)
    #expect(Double(pushed.requestCount) <= Double(alone.requestCount) * share)
    #expect(pushed.longestPause <= .seconds(86_400))
    #expect(pushed.delays.allSatisfy { $0 <= .seconds(2) })
    #expect(pushed.delays.count >= Int(perDay * 90) - 1)
  }

  @Test func `a source whose first run fails is still seen to date no items`() throws {
    let job = ScheduledJob(name: "page", interval: .adaptive, hostname: "a.example")
    var learned = LearnedSchedules()
    var schedule = JobSchedule()
    let outcomes: [Outcome] = [
      .failed(Failure(.httpStatus, "HTTP 500")), .newData(ChangeCounts(added: 3)),
    ]
    for (turn, outcome) in outcomes.enumerated() {
      let now = Self.start + .seconds(Int64(turn) * 3_600)
      var facts = RunFacts()
      (facts.newCount, facts.shownCount) = (outcome.failure == nil ? 3 : 0, 3)
      let record = RunRecord(
        run: RunID(startedAt: now, random: (1, 2)), job: "page", plugin: "html",
        trigger: .schedule, outcome: outcome, startedAt: now)
      let planned = learned.plan(
        job, schedule, record, facts, SourceHints(), bucket: nil, jitter: Jitter(), now: now)
      schedule.adaptive = try #require(planned).state
    }
    #expect(try AdaptiveState(encoded: schedule.adaptive).datesItems == false)
  }

  @Test func `a hub that falls silent costs no more than a job without a hub`() {
    let silentFrom = Self.start + .seconds(45 * 86_400)
    let alone = days(perDay: 4, hasHub: false)
    let silent = days(perDay: 4, hasHub: true) { $0 > silentFrom }
    func late(_ days: Days) -> Duration { days.delays.suffix(160).max() ?? .zero }
    #expect(silent.delays.count >= alone.delays.count - 1)
    #expect(late(silent) <= late(alone) * 2)
  }
}
