/// Event counts by place in the week, with the observed time, both with forgetting.
package struct WeekCounts: Equatable, Sendable {
  /// Events by hour of the week.
  var hours = [Float](repeating: 0, count: WeekClock.weekHours)
  /// Observed hours by hour of the week.
  var watched = [Float](repeating: 0, count: WeekClock.weekHours)
  /// Events by quarter of an hour of the day.
  var quarters = [Float](repeating: 0, count: 96)
  /// Events by five minutes of the hour.
  var fives = [Float](repeating: 0, count: 12)

  /// The length of all the lists together.
  static let count = 2 * WeekClock.weekHours + 96 + 12

  var all: [Float] { hours + watched + quarters + fives }

  init() {}

  /// Creates counts from `all`, which has `count` numbers.
  init(all: [Float]) {
    let week = WeekClock.weekHours
    hours = Array(all.prefix(week))
    watched = Array(all.dropFirst(week).prefix(week))
    quarters = Array(all.dropFirst(2 * week).prefix(96))
    fives = Array(all.suffix(12))
  }

  mutating func forget(_ share: Float) {
    for index in hours.indices { hours[index] *= share }
    for index in watched.indices { watched[index] *= share }
    for index in quarters.indices { quarters[index] *= share }
    for index in fives.indices { fives[index] *= share }
  }

  mutating func count(second: Double, weight: Float) {
    hours[min(Int(second / 3600), 167)] += weight
    quarters[min(Int(second / 900) % 96, 95)] += weight
    fives[min(Int(second / 300) % 12, 11)] += weight
  }
}
