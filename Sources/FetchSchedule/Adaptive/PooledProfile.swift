/// The week of all jobs together: the prior of each job's own week.
package struct PooledProfile: Equatable, Sendable {
  /// Events by hour of day, weekdays then weekends.
  private(set) var counts = [Float](repeating: 0, count: 48)
  /// The shape by hour of day on weekdays, then on weekends; its mean over a week is 1.
  private(set) var kinds = [Double](repeating: 1, count: 48)

  /// The trust in a flat week, in events.
  private static let prior = 60.0
  /// The number of events at which all counts are halved, so that the profile follows changes.
  private static let eventsMax: Float = 20_000

  package init() {}

  init?(counts: [Float]) {
    guard counts.count == 48, counts.allSatisfy({ $0.isFinite && $0 >= 0 }),
      counts.reduce(0, +) <= Self.eventsMax * 2
    else { return nil }
    self.counts = counts
    refresh()
  }

  func hour(_ hour: Int) -> Double { (kinds[hour] * 5 + kinds[24 + hour] * 2) / 7 }

  func day(_ day: Int) -> Double { day < 5 ? dayMeans.weekday : dayMeans.weekend }

  private var dayMeans: (weekday: Double, weekend: Double) = (1, 1)

  package static func == (left: PooledProfile, right: PooledProfile) -> Bool {
    left.counts == right.counts
  }

  mutating func count(second: Double, weight: Float) {
    let hour = min(Int(second / 3600), 167)
    counts[(hour >= 120 ? 24 : 0) + hour % 24] += weight
  }

  /// Computes the shape from the counts; call it after adding some.
  mutating func refresh() {
    var total = counts.reduce(0, +)
    if total > Self.eventsMax {
      for index in counts.indices { counts[index] /= 2 }
      total /= 2
    }
    let whole = Double(total) + Self.prior
    var mean = 0.0
    for index in 0..<48 {
      let share = (index < 24 ? 5.0 : 2.0) / 168
      kinds[index] = (Double(counts[index]) + Self.prior * share) / (whole * share)
      mean += kinds[index] * share
    }
    for index in 0..<48 { kinds[index] /= mean }
    dayMeans = (kinds[..<24].reduce(0, +) / 24, kinds[24...].reduce(0, +) / 24)
  }
}
