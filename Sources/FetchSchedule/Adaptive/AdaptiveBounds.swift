/// What limits a job's intervals, in seconds.
package struct AdaptiveBounds: Equatable, Sendable {
  package var intervalMin: Double
  package var intervalMax: Double

  /// Five minutes and a day. The square-root law gives sources that publish rarely so little that
  /// a daily look costs nothing.
  package static let withBudget = AdaptiveBounds()

  /// Where nobody else wants the requests: looks at what publishes rarely take 19 requests a day for
  /// thirty feeds, and 15 % off the mean wait per source.
  package static let withoutBudget = AdaptiveBounds(intervalMax: 6 * 3600)

  package init(intervalMin: Double = 300, intervalMax: Double = 86_400) {
    self.intervalMin = min(max(intervalMin, 1), 366 * WeekClock.daySeconds)
    self.intervalMax = min(max(intervalMax, self.intervalMin), 366 * WeekClock.daySeconds)
  }
}
