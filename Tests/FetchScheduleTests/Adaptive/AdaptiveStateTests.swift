import Testing

@testable import FetchSchedule

@Suite struct AdaptiveStateTests {
  @Test func `a rate is learned from the dates of items`() {
    var fixture = AdaptiveFixture()
    fixture.watch(days: 20, hours: [8, 10, 12, 14])
    #expect(abs(fixture.state.itemsPerSecond * 86_400 - 4) < 0.5)
  }

  @Test func `the hours of a source are learned`() {
    var fixture = AdaptiveFixture()
    fixture.watch(days: 14, hours: [8, 9, 10])
    let forecast = fixture.state.forecast(pool: PooledProfile(), clock: fixture.clock)
    let morning = forecast.items(from: fixture.now + 8 * 3600, to: fixture.now + 11 * 3600)
    let evening = forecast.items(from: fixture.now + 18 * 3600, to: fixture.now + 21 * 3600)
    #expect(morning > 1.5)
    #expect(evening < 0.4)
    let week = forecast.items(from: fixture.now, to: fixture.now + 7 * 86_400)
    #expect(abs(week - 7 * 86_400 * forecast.itemsPerSecond) < 0.02 * week)
  }

  @Test func `the first run's items are learned in the order of their dates`() {
    var fixture = AdaptiveFixture()
    fixture.now = 40 * 86_400
    let times = (0..<20).map { Double($0) * 86_400 + 20 * 86_400 }
    fixture.learn(.items(ItemsSeen(newTimes: times, shownCount: 20)), after: 0)
    #expect(abs(fixture.state.itemsPerSecond * 86_400 - 1) < 0.25)
    #expect(fixture.state.window == 20)
  }

  @Test func `items with the same date are one event`() {
    var fixture = AdaptiveFixture()
    for _ in 0..<200 {
      let time = fixture.now + 3600
      fixture.learn(
        .items(ItemsSeen(newTimes: [Double](repeating: time, count: 8), shownCount: 50)),
        after: 43_200)
    }
    #expect(abs(fixture.state.itemsPerEvent - 8) < 0.5)
    #expect(abs(fixture.state.rate.mean * 86_400 - 2) < 0.2)
  }

  @Test func `if unseen items were pushed out, only the time of the visible items counts`() {
    var fixture = AdaptiveFixture()
    fixture.learn(.items(ItemsSeen(newTimes: [], shownCount: 5)), after: 1000)
    let end = fixture.now + 86_400
    let times = (1...5).map { end - Double($0) * 600 }
    fixture.learn(.items(ItemsSeen(newTimes: times, shownCount: 5)), after: 86_400)
    // Four events in 50 minutes were seen, not five events in a day, which would give a rate of 4.
    #expect(fixture.state.itemsPerSecond * 86_400 > 8)
  }

  @Test func `items with invalid dates count as a change without dates`() {
    var lying = AdaptiveFixture()
    var silent = AdaptiveFixture()
    for _ in 0..<5 {
      lying.learn(
        .items(ItemsSeen(newTimes: [1e12, -1e12, .nan, .infinity], shownCount: 9)), after: 3600)
      silent.learn(.changed(true), after: 3600)
    }
    #expect(lying.state.rate.mean == silent.state.rate.mean)
    #expect(lying.state.itemsPerSecond.isFinite)
  }

  @Test func `a source that changes more gets a higher rate`() {
    var often = AdaptiveFixture(datesItems: false)
    var seldom = AdaptiveFixture(datesItems: false)
    for index in 0..<100 {
      often.learn(.changed(index % 2 == 0), after: 7200)
      seldom.learn(.changed(index % 20 == 0), after: 7200)
    }
    #expect(often.state.itemsPerSecond > 5 * seldom.state.itemsPerSecond)
  }

  @Test func `after years without a run nothing traps or takes long`() {
    var fixture = AdaptiveFixture()
    fixture.watch(days: 2, hours: [8])
    fixture.learn(.items(ItemsSeen(newTimes: [fixture.now + 1], shownCount: 5)), after: 1e11)
    fixture.learn(.changed(true), after: 1e11)
    fixture.learn(.items(ItemsSeen(newTimes: [], shownCount: .max)), after: -1e12)
    fixture.learn(.failed(retryAfter: .nan), after: .infinity)
    #expect(fixture.state.itemsPerSecond.isFinite)
  }

  @Test func `the start of a burst makes more items likely soon, and the effect ends`() {
    var fixture = AdaptiveFixture()
    for _ in 0..<60 {
      let start = fixture.now + 3600
      let times = (0..<6).map { start + Double($0) * 300 }
      fixture.learn(.items(ItemsSeen(newTimes: times, shownCount: 40)), after: 86_400)
    }
    let burst = (0..<3).map { fixture.now + 82_000 + Double($0) * 300 }
    fixture.learn(.items(ItemsSeen(newTimes: burst, shownCount: 40)), after: 82_800)
    let forecast = fixture.state.forecast(pool: PooledProfile(), clock: fixture.clock)
    let soon = forecast.items(from: fixture.now, to: fixture.now + 1200)
    let later = forecast.items(from: fixture.now + 6 * 3600, to: fixture.now + 6 * 3600 + 1200)
    #expect(soon > 3 * later)
  }
}
