import FetchTestSupport
import Testing

@testable import FetchSchedule

@Suite struct ModifiedBeliefTests {
  /// Returns the learned rate of a source that changes eight times a day at random and is fetched
  /// every twenty hours.
  private func rate(datesChanges: Bool) -> Double {
    var generator = SeededGenerator(seed: 3)
    var fixture = AdaptiveFixture(datesItems: false)
    for _ in 0..<100 {
      // `age` is the time since the latest of several changes.
      let age = -10_800 * Exponential.log(Double.random(in: 1e-6..<1, using: &generator))
      let look = fixture.now + 72_000
      let changedAt = max(look - age, fixture.now + 1)
      fixture.learn(.changed(true, modifiedAt: datesChanges ? changedAt : nil), after: 72_000)
    }
    return fixture.state.itemsPerSecond * 86_400
  }

  @Test func `a source's own date gives its rate even if each fetch finds a change`() {
    #expect(abs(rate(datesChanges: true) / 8 - 1) < 0.25)
    // Without the date, the number of changes between two fetches is unknown.
    #expect(rate(datesChanges: false) > 12)
  }

  @Test func `the hours of a source that dates its changes are learned`() {
    var fixture = AdaptiveFixture(datesItems: false)
    var modifiedAt: Double?
    for look in 0..<60 {
      let from = fixture.now
      let changedAt = Double(look / 4) * 86_400 + 30_000
      let changed = changedAt > from && changedAt <= from + 21_600
      if changed { modifiedAt = changedAt }
      fixture.learn(.changed(changed, modifiedAt: modifiedAt), after: 21_600)
    }
    let forecast = fixture.state.forecast(pool: PooledProfile(), clock: fixture.clock)
    let due = fixture.now + 30_000
    let then = forecast.items(from: due - 900, to: due + 900)
    #expect(then > 0.5 * forecast.items(from: fixture.now, to: fixture.now + 86_400))
  }

  @Test func `the first date is only stored, and the next one is used`() {
    var belief = ModifiedBelief()
    #expect(belief.learn(50, changed: true, since: nil, at: 100) == nil)
    #expect(belief.learn(50, changed: false, since: 100, at: 200) == nil)
    #expect(belief.learn(250, changed: true, since: 200, at: 300) == 250)
    #expect(belief.isBelieved)
  }

  /// The arguments are dates in the fetch at 300. The fetch at 200 had the date 150.
  @Test(
    arguments: [
      (250, false),  // moves alone
      (150, true),  // stays, though items change
      (120, true),  // goes back
      (130.5, true),  // before the last run that did not see it
      (300, true),  // not over yet
    ] as [(Double, Bool)])
  func `after a date that contradicts the items, dates are used again after three good ones`(
    date: Double, changed: Bool
  ) {
    var belief = ModifiedBelief()
    _ = belief.learn(100, changed: true, since: nil, at: 100)
    _ = belief.learn(150, changed: true, since: 100, at: 200)
    #expect(belief.learn(date, changed: changed, since: 200, at: 300) == nil)
    #expect(!belief.isBelieved)
    for look in 0..<ModifiedBelief.doubtsMax {
      let now = 1000 + Double(look) * 100
      #expect(belief.learn(now - 10, changed: true, since: now - 100, at: now) == nil)
    }
    #expect(belief.learn(2990, changed: true, since: 2900, at: 3000) == 2990)
  }

  @Test func `a missing date is ignored, and a change without a date drops the last one`() {
    var belief = ModifiedBelief()
    _ = belief.learn(50, changed: true, since: nil, at: 100)
    _ = belief.learn(nil, changed: false, since: 100, at: 200)
    #expect(belief.lastAt == 50)
    _ = belief.learn(nil, changed: true, since: 200, at: 300)
    #expect(belief.lastAt == nil)
    _ = belief.learn(.nan, changed: true, since: 300, at: 400)
    #expect(belief.lastAt == nil)
  }
}
