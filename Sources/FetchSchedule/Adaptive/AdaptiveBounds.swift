/// What limits a job's intervals, in seconds.
package struct AdaptiveBounds: Equatable, Sendable {
  package var intervalMin: Double
  package var intervalMax: Double

  /// Five minutes and a day. The square-root law gives sources that publish rarely so little that
  /// a daily look costs nothing.
  package static let withBudget = AdaptiveBounds()

  /// Where nobody else wants the requests. Against a day, six hours take 6 requests a day more for
  /// thirty sources, 1 % of all, and 9 % off the mean wait per source (60 traces of real publication
  /// times). Three hours would take 8 % more requests.
  package static let withoutBudget = AdaptiveBounds(intervalMax: 6 * 3600)

  package init(intervalMin: Double = 300, intervalMax: Double = 86_400) {
    self.intervalMin = min(max(intervalMin, 1), 366 * WeekClock.daySeconds)
    self.intervalMax = min(max(intervalMax, self.intervalMin), 366 * WeekClock.daySeconds)
  }
}
