/// The limits of a job's intervals, in seconds.
package struct AdaptiveBounds: Equatable, Sendable {
  package var intervalMin: Double
  package var intervalMax: Double

  /// Five minutes to a day. The square-root law gives rarely published sources so few requests that
  /// a daily one costs nothing.
  package static let withBudget = AdaptiveBounds()

  /// For requests that no other job needs. Compared with a day, six hours cost 6 more requests a
  /// day for thirty sources (1 % of all) and shorten the mean wait per source by 9 % (60 traces of
  /// real publication times). Three hours would cost 8 % more requests.
  package static let withoutBudget = AdaptiveBounds(intervalMax: 6 * 3600)

  package init(intervalMin: Double = 300, intervalMax: Double = 86_400) {
    self.intervalMin = min(max(intervalMin, 1), 366 * WeekClock.daySeconds)
    self.intervalMax = min(max(intervalMax, self.intervalMin), 366 * WeekClock.daySeconds)
  }
}
