package import FetchValues

/// How much a source publishes: the head of an encoded `AdaptiveState`, which can be read without the
/// rest.
package struct AdaptiveRate: Sendable {
  /// As that of `AdaptiveState`.
  package let datesItems: Bool
  let rate: RateBelief
  /// Items and the events that they came in, with forgetting.
  let items: Double
  let events: Double

  /// A publication rate that no source has for long.
  private static let itemsPerSecondMax = 10.0

  /// Items a second, the mean over a week.
  package var itemsPerSecond: Double { min(rate.mean * itemsPerEvent, Self.itemsPerSecondMax) }

  /// Items a second by what the source has shown, without what was believed beforehand; 0 for one
  /// that has shown none.
  package var shownItemsPerSecond: Double {
    let events = max(0, rate.events - Self.prior(datesItems: datesItems).events)
    return min(events / rate.exposure * itemsPerEvent, Self.itemsPerSecondMax)
  }

  var itemsPerEvent: Double { max(items / events, 1) }

  /// What is believed of a source before its first run.
  static func prior(datesItems: Bool) -> RateBelief {
    RateBelief(eventsPerDay: datesItems ? 2 : 8)
  }
}

extension AdaptiveRate {
  package init(from reader: inout ValueReader) throws(ValueError) {
    try reader.readFields(count: AdaptiveState.fieldCount, version: AdaptiveState.version)
    datesItems = try reader.readBool()
    guard
      let rate = RateBelief(
        events: try reader.readNumber(), exposure: try reader.readNumber())
    else { throw .unexpected("a number out of range", wanted: "rate") }
    self.rate = rate
    items = try reader.readNumber(in: 1...1e9)
    events = try reader.readNumber(in: 1...1e9)
  }
}
