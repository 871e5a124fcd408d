import Testing

@testable import FetchSchedule

@Suite struct RateBeliefTests {
  private let day = WeekClock.daySeconds

  @Test func `counts and observed time add up to the posterior`() {
    var belief = RateBelief(eventsPerDay: 2)
    #expect(abs(belief.mean * day - 2) < 1e-9)
    belief.learn(events: 10, exposure: 2 * day)
    #expect(belief.events == 11)
    #expect(abs(belief.exposure - 2.5 * day) < 1e-6)
  }

  @Test func `strong evidence is capped without a change of the mean`() {
    var belief = RateBelief(eventsPerDay: 2)
    belief.learn(events: 5000, exposure: 100 * day)
    #expect(belief.events == RateBelief.eventsMax)
    #expect(abs(belief.mean * day - 5001 / 100.5) < 1e-6)
  }

  @Test func `after a few days without items, a new source has a third of its initial rate`() {
    var belief = RateBelief(eventsPerDay: 2)
    belief.learn(events: 0, exposure: day)
    #expect(abs(belief.mean * day - 2.0 / 3) < 1e-9)
  }

  @Test func `forgetting leads back to the initial rate`() {
    let prior = RateBelief(eventsPerDay: 2)
    var belief = prior
    belief.learn(events: 40, exposure: 4 * day)
    belief.forget(0.5, towards: prior)
    #expect(abs(belief.events - 21) < 1e-9)
    belief.forget(0, towards: prior)
    #expect(belief == prior)
  }

  @Test func `a fetch without a change counts as time without events`() {
    var belief = RateBelief(eventsPerDay: 8)
    let before = belief
    belief.learn(changed: false, exposure: 3600)
    #expect(belief.events == before.events)
    #expect(belief.exposure == before.exposure + 3600)
  }

  /// The expected moments are those of posterior × (1 - exp(-rate × time)), summed over a fine grid
  /// of rates.
  @Test(arguments: [(0.5, 1.0, 0.3), (3.0, 2.0, 1.0), (20.0, 5.0, 0.5), (2.0, 1.0, 30.0)])
  func `a change gives the Gamma distribution with the exact two moments`(
    events: Double, exposure: Double, time: Double
  ) throws {
    var belief = try #require(RateBelief(events: events, exposure: exposure))
    belief.learn(changed: true, exposure: time)
    var sums = (0.0, 0.0, 0.0)
    let step = 0.0002
    var root = step / 2
    while root < 6 {
      // The substitution rate = root² removes the singularity at 0 of shapes below 1.
      let rate = root * root
      let density =
        Exponential.exp((events - 1) * Exponential.log(rate) - exposure * rate)
        * (1 - Exponential.exp(-rate * time)) * 2 * root
      sums = (sums.0 + density, sums.1 + density * rate, sums.2 + density * rate * rate)
      root += step
    }
    let mean = sums.1 / sums.0
    let variance = sums.2 / sums.0 - mean * mean
    #expect(abs(belief.mean / mean - 1) < 1e-3)
    #expect(abs(belief.mean / belief.exposure / variance - 1) < 1e-3)
  }
}
