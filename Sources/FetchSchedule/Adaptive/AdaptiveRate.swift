package import FetchValues

/// The publication rate of a source: the head of an encoded `AdaptiveState`, readable without the
/// rest.
package struct AdaptiveRate: Sendable {
  /// See `AdaptiveState.datesItems`.
  package let datesItems: Bool
  let rate: RateBelief
  /// Items, and the events in which they came, both with forgetting.
  let items: Double
  let events: Double

  /// The highest rate; no source keeps it for long.
  private static let itemsPerSecondMax = 10.0

  /// Items a second; the mean over a week.
  package var itemsPerSecond: Double { min(rate.mean * itemsPerEvent, Self.itemsPerSecondMax) }

  /// Items a second as the source has shown them, without the prior; 0 if it has shown none.
  package var shownItemsPerSecond: Double {
    let events = max(0, rate.events - Self.prior(datesItems: datesItems).events)
    return min(events / rate.exposure * itemsPerEvent, Self.itemsPerSecondMax)
  }

  var itemsPerEvent: Double { max(items / events, 1) }

  /// Returns the prior of a source before its first run.
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
