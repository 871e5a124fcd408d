package import FetchModel

extension Feed {
  /// The valid hints of the feed about when the feed should be fetched next.
  package var hints: FeedHints {
    var hints = FeedHints()
    if let ttl, ttl > 0 { hints.ttl = .seconds(min(ttl, Self.minutesMax) * 60) }
    if let period = secondsBetweenUpdates {
      hints.setUpdates(every: .seconds(period), from: updateBase)
    }
    for hour in skipHours where (0..<24).contains(hour) { hints.skipHours |= 1 << UInt32(hour) }
    for day in skipDays {
      if let number = Weekdays.number(named: day) { hints.skipDays |= 1 << UInt8(number) }
    }
    return hints
  }

  private static let minutesMax: Int64 = 366 * 1440

  /// The interval between updates. Without values the feed is updated once a day (RSS syndication
  /// module).
  private var secondsBetweenUpdates: Int64? {
    let frequency = updateFrequency ?? 1
    guard updatePeriod != nil || updateFrequency != nil, frequency > 0,
      let period = Self.seconds(in: updatePeriod ?? "daily")
    else { return nil }
    return max(1, period / frequency)
  }

  private static func seconds(in period: String) -> Int64? {
    switch period.lowercased() {
    case "hourly": 3600
    case "daily": 86_400
    case "weekly": 7 * 86_400
    case "monthly": 30 * 86_400
    case "yearly": 365 * 86_400
    default: nil
    }
  }
}
