/// The division of a stretch of time at the points where the week's shapes may change.
enum WeekPieces {
  /// The maximum length of the divided time, in hours. Nothing can be learned from a longer time
  /// without events.
  static let hoursMax = 24 * 7 * 10

  /// Calls `body` with each piece: the second of the week where it begins, its length, and whether
  /// it is a whole hour. A piece that is not a whole hour does not cross a multiple of five minutes
  /// on the clock.
  static func forEach(
    from start: Double, to end: Double, clock: WeekClock,
    _ body: (_ second: Double, _ length: Double, _ isWholeHour: Bool) -> Void
  ) {
    var left = min(end - start, Double(hoursMax) * 3600)
    var second = clock.secondOfWeek(start)
    while left > 0 {
      let isAtHour = second == (second / 3600).rounded(.down) * 3600
      if isAtHour, left >= 3600 {
        body(second, 3600, true)
        second += 3600
        left -= 3600
      } else {
        let next = ((second / 300).rounded(.down) + 1) * 300
        let length = min(next - second, left)
        body(second, length, false)
        // At a border the second is set and not summed, so that the next piece begins exactly
        // there.
        second = length < left ? next : second + length
        left -= length
      }
      if second >= WeekClock.weekSeconds { second -= WeekClock.weekSeconds }
    }
  }
}
