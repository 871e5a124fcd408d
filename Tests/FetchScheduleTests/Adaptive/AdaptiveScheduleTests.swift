import FetchModel
import FetchTestSupport
import Testing

@testable import FetchSchedule

@Suite struct AdaptiveScheduleTests {
  private func fixture() -> AdaptiveFixture {
    var fixture = AdaptiveFixture()
    fixture.watch(days: 14, hours: [8, 9, 10, 11])
    return fixture
  }

  @Test func `the same state gives the same decision`() {
    var first = fixture()
    var second = fixture()
    let schedule = AdaptiveSchedule(job: "a")
    #expect(first.next(schedule) == second.next(schedule))
    #expect(first.state == second.state)
  }

  @Test func `a decision has the numbers behind it`() {
    var fixture = fixture()
    let decision = fixture.next(AdaptiveSchedule(job: "a"))
    #expect(abs(decision.reason.itemsPerDay - 4) < 0.5)
    #expect(decision.reason.price > 0)
    #expect(decision.reason.nominalInterval > 0)
  }

  @Test func `a source with fixed hours is fetched in these hours`() {
    var fixture = fixture()
    // At the price of a single job, fetches would be almost free at night. This price is higher.
    fixture.shared.priceMin = 20_000
    // It is midnight, and a fetch costs as much as an item's wait of five and a half hours. The
    // fetch is therefore after the morning's items.
    let decision = fixture.next(AdaptiveSchedule(job: "a"))
    #expect((9.0...16).contains((decision.dueAt - fixture.now) / 3600))
  }

  private func hints(ttl: Int? = nil, cache: Int? = nil) -> SourceHints {
    var hints = SourceHints()
    hints.feed.ttl = ttl.map { .seconds($0) }
    hints.cacheLifetime = cache.map { .seconds($0) }
    return hints
  }

  @Test(arguments: [600, 3600, 20_000])
  func `hints only lengthen waits`(life: Int) {
    var plain = fixture()
    plain.shared.requestsPerSecond = 100
    var hinted = plain
    let before = plain.next(AdaptiveSchedule(job: "a"))
    let after = hinted.next(AdaptiveSchedule(job: "a", hints: hints(cache: life)))
    #expect(after.dueAt >= before.dueAt)
    #expect(after.dueAt >= hinted.now + Double(min(life, 5 * 3600)))
    #expect(after.reason.rule == .hint)
    #expect(after.hint == .cacheLifetime)
  }

  @Test func `hints are capped, and a ttl within which items appear is ignored`() {
    let year = 366 * 86_400
    /// Returns the delay until the due time.
    func delay(_ hints: SourceHints, requestsPerSecond: Double, items: Bool) -> Double {
      var fixture = AdaptiveFixture()
      fixture.watch(days: 60, hours: items ? [8, 9, 10, 11] : [])
      fixture.shared.requestsPerSecond = requestsPerSecond
      let next = fixture.next(AdaptiveSchedule(job: "a", hints: hints))
      #expect((next.reason.rule == .hint) == (next.hint != nil))
      return next.dueAt - fixture.now
    }
    #expect(delay(hints(ttl: year), requestsPerSecond: 1, items: false) == 86_400)
    #expect(delay(hints(cache: year), requestsPerSecond: 1, items: true) == 18_000)
    // The source publishes four items a day.
    #expect(delay(hints(ttl: 3600), requestsPerSecond: 1000, items: true) == 3600)
    let without = delay(SourceHints(), requestsPerSecond: 1000, items: true)
    #expect(without < 3600)
    #expect(delay(hints(ttl: 7200), requestsPerSecond: 1000, items: true) == without)
  }

  @Test func `the pace by rate alone also respects hints`() {
    var fixture = fixture()
    fixture.shared.requestsPerSecond = 1000
    let schedule = AdaptiveSchedule(job: "a", hints: hints(ttl: 3600))
    let next = schedule.nextByRate(
      fixture.state.publication, shared: fixture.shared, now: fixture.now)
    #expect(next.dueAt == fixture.now + 3600)
    #expect(next.hint == .ttl)
  }

  @Test func `the job's own limits of the interval are kept`() {
    var fast = fixture()
    fast.shared.requestsPerSecond = 1000
    let soon = fast.next(AdaptiveSchedule(job: "a", bounds: AdaptiveBounds(intervalMin: 900)))
    #expect(soon.dueAt >= fast.now + 900)
    var slow = AdaptiveFixture()
    for _ in 0..<30 { slow.learn(.items(ItemsSeen(newTimes: [], shownCount: 3)), after: 86_400) }
    slow.shared.requestsPerSecond = 1e-7
    let late = slow.next(AdaptiveSchedule(job: "a"))
    #expect(late.dueAt == slow.now + 86_400)
    #expect(late.reason.rule == .intervalMax)
  }

  @Test func `new items never fill the feed's window before the next fetch`() {
    var fixture = AdaptiveFixture()
    fixture.watch(days: 10, hours: Set(0..<24), shown: 4)
    fixture.shared.requestsPerSecond = 1e-6
    let decision = fixture.next(AdaptiveSchedule(job: "a"))
    #expect(decision.reason.rule == .window)
    #expect(decision.dueAt < fixture.now + 4 * 3600)
  }

  @Test func `failures back off, and Retry-After is respected`() {
    var fixture = fixture()
    var last = 0.0
    for _ in 0..<5 {
      fixture.learn(.failed(retryAfter: nil), after: 60)
      let decision = fixture.next(AdaptiveSchedule(job: "a"))
      #expect(decision.reason.rule == .backoff)
      #expect(decision.dueAt - fixture.now >= last)
      // The jitter stays below the limit of an hour.
      last = min(decision.dueAt - fixture.now, 2880)
    }
    fixture.learn(.failed(retryAfter: 50_000), after: 60)
    let decision = fixture.next(AdaptiveSchedule(job: "a"))
    #expect(decision.reason.rule == .retryAfter)
    #expect(decision.dueAt == fixture.now + 50_000)
    fixture.learn(.items(ItemsSeen(newTimes: [], shownCount: 3)), after: 60)
    #expect(fixture.next(AdaptiveSchedule(job: "a")).reason.rule == .plan)
  }

  @Test func `on the first day of an outage, the next try is at most two hours later`() {
    var fixture = AdaptiveFixture()
    for _ in 0..<40 { fixture.learn(.items(ItemsSeen(newTimes: [], shownCount: 3)), after: 86_400) }
    fixture.shared.requestsPerSecond = 1e-7
    let schedule = AdaptiveSchedule(job: "a")
    let start = fixture.now
    var delays: [(after: Double, delay: Double)] = []
    while fixture.now < start + 4 * 86_400 {
      fixture.learn(.failed(retryAfter: nil), after: delays.last?.delay ?? 1)
      let next = fixture.next(schedule).dueAt - fixture.now
      delays.append((fixture.now - start, next))
      let retry = schedule.retry(fixture.state, shared: fixture.shared, now: fixture.now)
      #expect(retry.map { next <= $0.delayMax && $0.isYoung == ($0.delayMax == 7200) } == true)
    }
    let young = delays.filter { $0.after < 86_400 }.map(\.delay)
    #expect(young.count > 12)
    #expect(young.max().map { (5760...7200).contains($0) } == true)
    // At the end of the four days, the delay of such a rare source is between 3.2 and four hours.
    #expect(delays.last.map { (11_520...14_400).contains($0.delay) } == true)
  }

  @Test func `the weight of waiting is at least four fifths while the reader is away`() {
    var usage = UsageProfile()
    for day in 0..<14 {
      usage.learn(readAt: Double(day) * 86_400 + 18 * 3600, since: 0, clock: WeekClock())
    }
    #expect((0.8..<0.85).contains(usage.weight(at: 3 * 3600)))
  }

  @Test func `a job is fetched shortly before its reader reads`() {
    var usage = UsageProfile()
    for day in 0..<14 {
      usage.learn(readAt: Double(day) * 86_400 + 18 * 3600, since: 0, clock: WeekClock())
    }
    var steady = AdaptiveFixture()
    steady.watch(days: 14, hours: Set(0..<24), shown: 100)
    steady.shared.requestsPerSecond = 1 / 86_400
    let decision = steady.next(AdaptiveSchedule(job: "a", usage: usage))
    let hour = (decision.dueAt - steady.now) / 3600
    #expect((16.5...18.5).contains(hour))
    #expect(usage.weight(at: 18 * 3600) > 2)
    #expect(usage.weight(at: 3 * 3600) < 1)
  }

  @Test(
    arguments: [
      4: 3600, 100: 720, 1.0 / 7: 19_049, 1: 7200, 10_000: 300, 1e-4: 86_400,
    ] as [Double: Double])
  func `without a budget, the pace of a source follows from its rate`(
    itemsPerDay: Double, interval: Double
  ) {
    var shared = AdaptiveShared(requestsPerHour: nil)
    shared.priceMin = 300
    let known = AdaptiveRate(
      datesItems: true, rate: RateBelief(eventsPerDay: itemsPerDay), items: 1, events: 1)
    let pace = AdaptiveSchedule(job: "a").pace(known, shared: shared, now: 0)
    #expect(abs(pace.interval - interval) < 1)
    #expect(pace.price == 300)
  }

  @Test func `without a budget, the number of jobs does not change the pace of one`() {
    var fixture = fixture()
    fixture.shared = AdaptiveShared(requestsPerHour: nil)
    fixture.shared.priceMin = 300
    let alone = fixture.next(AdaptiveSchedule(job: "a"))
    for _ in 0..<100 {
      var other = self.fixture().state
      let schedule = AdaptiveSchedule(job: "b")
      _ = schedule.next(&other, shared: &fixture.shared, now: fixture.now)
      fixture.shared.settle(level: 0.5, now: fixture.now, clock: fixture.clock)
    }
    #expect(fixture.next(AdaptiveSchedule(job: "a")).dueAt == alone.dueAt)
    // It is midnight, and items are published from eight o'clock on.
    #expect(alone.dueAt - fixture.now > 3600)
  }

  @Test func `an unused budget leaves the lowest price, and limits immediately when it is needed`()
  {
    var fixture = fixture()
    fixture.shared = AdaptiveShared(requestsPerHour: 600)
    fixture.shared.priceMin = 300
    let schedule = AdaptiveSchedule(job: "a")
    for hour in 0..<200 {
      fixture.shared.settle(
        level: 1, now: fixture.now + Double(hour) * 3600, clock: fixture.clock)
    }
    _ = fixture.next(schedule)
    #expect(fixture.shared.prices() == Array(repeating: 300, count: 48))
    // An unused budget is not saved up.
    #expect(fixture.shared.integral == 0)
    #expect(fixture.shared.hourLogs == Array(repeating: 0, count: 24))
    fixture.shared.setBudget(requestsPerHour: 0.01)
    for price in fixture.shared.prices() { #expect(price > 300) }
    // Without a lowest price, the price is the same.
    var plain = fixture.shared
    plain.priceMin = 0
    #expect(plain.prices() == fixture.shared.prices())
  }

  @Test func `prices rise when the budget is nearly used up`() {
    var fixture = fixture()
    _ = fixture.next(AdaptiveSchedule(job: "a"))
    var dry = fixture.shared
    dry.settle(level: 0, now: fixture.now, clock: fixture.clock)
    fixture.shared.settle(level: 1, now: fixture.now, clock: fixture.clock)
    for (high, low) in zip(dry.prices(), fixture.shared.prices()) { #expect(high > 2 * low) }
  }

  @Test func `a job's previous demand is replaced exactly`() {
    var fixture = fixture()
    let schedule = AdaptiveSchedule(job: "a")
    _ = fixture.next(schedule)
    let asked = fixture.shared.demand
    for _ in 0..<20 { _ = fixture.next(schedule) }
    #expect(zip(asked, fixture.shared.demand).allSatisfy { abs($0 - $1) < 1e-12 })
  }
}
