import FetchValues

@testable import FetchSchedule

/// A job's state after days of a source that publishes at fixed hours.
struct AdaptiveFixture {
  var state: AdaptiveState
  var shared = AdaptiveShared(requestsPerHour: 20)
  let clock = WeekClock()
  var now = 0.0

  init(datesItems: Bool = true) { state = AdaptiveState(datesItems: datesItems) }

  mutating func learn(_ observation: AdaptiveObservation, after seconds: Double) {
    now += seconds
    state.learn(from: observation, at: now, shared: &shared, clock: clock)
  }

  /// Fetches a source every two hours. The source publishes an item at each hour in `hours`.
  mutating func watch(days: Int, hours: Set<Int>, shown: Int = 10) {
    for _ in 0..<days * 12 {
      let from = now
      let times = (0..<2).map { from + Double($0) * 3600 }
        .filter { hours.contains(clock.hourOfWeek($0) % 24) }.map { $0 + 600 }
      learn(.items(ItemsSeen(newTimes: times, shownCount: shown)), after: 7200)
    }
  }

  var encoded: [UInt8] { state.encoded }

  mutating func next(_ schedule: AdaptiveSchedule) -> AdaptiveDecision {
    schedule.next(&state, shared: &shared, now: now)
  }
}
