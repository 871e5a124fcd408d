import FetchTestSupport
import Testing

@testable import FetchSchedule

@Suite struct TimetableBeliefTests {
  private static let day = WeekClock.daySeconds

  /// Returns the state after a first run that showed these items, and a second run without news.
  private func fixture(_ times: [Double], at now: Double) -> AdaptiveFixture {
    var fixture = AdaptiveFixture()
    fixture.learn(.items(ItemsSeen(newTimes: times, shownCount: times.count)), after: now)
    fixture.learn(.items(ItemsSeen(newTimes: [], shownCount: times.count)), after: 3600)
    return fixture
  }

  private func forecast(_ fixture: AdaptiveFixture) -> RateForecast {
    fixture.state.forecast(pool: fixture.shared.pool, clock: fixture.clock)
  }

  /// Returns one time for each day: the given second of the day, plus a delay of less than two
  /// minutes.
  private func daily(_ second: Double, days: Int) -> [Double] {
    (0..<days).map { Double($0) * Self.day + second + Double($0 * 37 % 100) }
  }

  @Test func `items at one time of the day are expected then, and hardly at other times`() {
    let fixture = fixture(daily(25_800, days: 12), at: 12 * Self.day)
    let forecast = forecast(fixture)
    let due = 12 * Self.day + 25_800
    let then = forecast.items(from: due - 600, to: due + 600)
    let rest =
      forecast.items(from: fixture.now, to: due - 600)
      + forecast.items(from: due + 600, to: fixture.now + Self.day)
    #expect(then > 0.7)
    #expect(rest < 0.15)
  }

  @Test func `the source is fetched soon after its times, and otherwise rarely`() {
    var fixture = fixture(daily(25_800, days: 12), at: 12 * Self.day)
    fixture.shared.priceMin = 1000
    let schedule = AdaptiveSchedule(job: "a")
    var looks: [Double] = []
    while fixture.now < 15 * Self.day {
      let from = fixture.now
      let due = fixture.next(schedule).dueAt
      looks.append(due)
      let news = daily(25_800, days: 15).filter { $0 > from && $0 <= due }
      fixture.learn(.items(ItemsSeen(newTimes: news, shownCount: 12)), after: due - from)
    }
    #expect(looks.count <= 12)
    for time in daily(25_800, days: 15).suffix(3) {
      #expect(looks.contains { $0 >= time && $0 < time + 1800 })
    }
  }

  @Test func `a weekly time is recognised after a few weeks`() {
    let week = WeekClock.weekSeconds
    let times = (0..<6).map { Double($0) * week + 200_000 + Double($0 * 20) }
    let forecast = forecast(fixture(times, at: 6 * week))
    let due = 6 * week + 200_050
    #expect(
      forecast.items(from: due - 1200, to: due + 1200)
        > 20 * forecast.items(from: due + Self.day - 1200, to: due + Self.day + 1200))
  }

  @Test func `a job's hourly demand includes the times of its timetable`() {
    let fixture = fixture(daily(25_800, days: 12), at: 12 * Self.day)
    let hourly = forecast(fixture).hourly
    #expect(abs(hourly.reduce(0, +) / 168 - 1) < 1e-9)
    for day in 0..<7 { #expect(hourly[day * 24 + 7] > 15) }
  }

  @Test func `items that follow the first one of the day are not expected at its time`() {
    // Each day has an item at about 07:10 and fifteen later items, forty minutes apart.
    let first = daily(25_800, days: 12)
    let times = first.flatMap { start in (0...15).map { start + Double($0) * 2400 } }
    let fixture = fixture(times, at: 12 * Self.day)
    let forecast = forecast(fixture)
    let due = 12 * Self.day + 25_800
    let all = forecast.items(from: fixture.now, to: fixture.now + Self.day)
    #expect(forecast.items(from: due - 600, to: due + 600) < 0.2 * all)
    #expect(forecast.items(from: due + 1200, to: due + 37_200) > 0.6 * all)
  }

  @Test func `a cluster of items is one mark, and items at random times are no timetable`() {
    let cluster = (0..<10).map { 50_000 + Double($0) * 120 }
    #expect(fixture(cluster, at: Self.day).state.timetable.marks.count == 1)
    var generator = SeededGenerator(seed: 5)
    let times = (0..<200).map { _ in Double.random(in: 0..<30 * Self.day, using: &generator) }
    let state = fixture(times.sorted(), at: 30 * Self.day).state
    #expect(state.timetable.marks.count == TimetableBelief.marksMax)
    #expect(state.timetable.trust[0] > 0.9)
  }

  @Test func `a clock that was set back leaves no marks in the future`() {
    var fixture = fixture(daily(25_800, days: 12), at: 12 * Self.day)
    fixture.now = 6 * Self.day
    fixture.learn(.items(ItemsSeen(newTimes: [], shownCount: 12)), after: 0)
    fixture.learn(.items(ItemsSeen(newTimes: [fixture.now + 60], shownCount: 12)), after: 3600)
    #expect(fixture.state.timetable.marks.allSatisfy { $0 <= fixture.now })
  }

  @Test func `the times of a timetable are local times of the zone`() {
    var timetable = TimetableBelief()
    // Each event is at 07:10 of local time, whatever the zone's offset was. The forecast is for a
    // zone that is one hour ahead of UTC.
    for day in 0..<10 {
      let local = Double(day) * Self.day + 25_800
      _ = timetable.learn(
        events: [local], shapes: [1], after: local - Self.day, from: local - Self.day, to: local,
        exposure: Self.day, mean: 1 / Self.day, known: Double(day + 1))
    }
    let clock = WeekClock(unixWithZoneOffset: 3600)
    let forecast = TimetableForecast(timetable, events: timetable.leads, clock: clock)
    let due = 10 * Self.day + 25_800 - clock.offset
    #expect(forecast.added(from: due - 300, to: due + 300) > 0.7 * Self.day)
    #expect(forecast.added(from: due + 600, to: due + 20_000) == 0)
  }
}
