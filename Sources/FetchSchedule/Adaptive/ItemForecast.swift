/// A forecast of the items that a source will publish.
package protocol ItemForecast {
  /// Items a second; the mean over a week.
  var itemsPerSecond: Double { get }
  /// The shape by hour of the week; its mean is 1.
  var hourly: [Double] { get }
  /// Returns the items expected in a stretch of time that begins at or after the last good run.
  func items(from start: Double, to end: Double) -> Double
}
