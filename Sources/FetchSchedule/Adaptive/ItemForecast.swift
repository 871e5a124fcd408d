/// How many items a source is expected to publish.
package protocol ItemForecast {
  /// The mean over a week.
  var itemsPerSecond: Double { get }
  /// The shape by hour of the week, with mean 1.
  var hourly: [Double] { get }
  /// Items expected in a stretch of time that begins at or after the last good run.
  func items(from start: Double, to end: Double) -> Double
}
