package import FetchModel
package import FetchValues

/// Time zones with one or two clock changes each, given as instants.
package enum Zones {
  /// Berlin, with summer time from 2026-03-29T01:00Z to 2026-10-25T01:00Z.
  package static let berlin = zone(
    "Europe/Berlin", winter: 3600,
    [
      ("2026-03-29T01:00:00Z", 7200), ("2026-10-25T01:00:00Z", 3600),
    ])

  /// São Paulo. Clocks go from 00:00 to 01:00, and from 00:00 back to 23:00 of the previous day.
  package static let saoPaulo = zone(
    "America/Sao_Paulo", winter: -3 * 3600,
    [
      ("2017-10-15T03:00:00Z", -2 * 3600), ("2018-02-18T02:00:00Z", -3 * 3600),
    ])

  /// Apia, which skipped the 30th of December 2011.
  package static let apia = zone(
    "Pacific/Apia", winter: -10 * 3600, [("2011-12-30T10:00:00Z", 14 * 3600)])

  /// St. John's. Clocks go from 00:01 back to 23:01 of the previous day, and from 00:01 to 01:01.
  package static let stJohns = zone(
    "America/St_Johns", winter: -12_600,
    [
      ("2010-03-14T03:31:00Z", -9000), ("2010-11-07T02:31:00Z", -12_600),
    ])

  /// Lord Howe Island. Clocks go back and forward by half an hour.
  package static let lordHowe = zone(
    "Australia/Lord_Howe", winter: 11 * 3600,
    [
      ("2026-04-04T15:00:00Z", 37_800), ("2026-10-03T15:30:00Z", 11 * 3600),
    ])

  private static func zone(
    _ name: String, winter: Int, _ changes: [(at: String, secondsEast: Int)]
  ) -> ZoneOffsets {
    let changes = changes.map { (at: time($0.at), secondsEast: $0.secondsEast) }
    return ZoneOffsets(name: name) { time in
      changes.last { $0.at <= time }?.secondsEast ?? winter
    }
  }

  package static func time(_ text: String) -> Timestamp {
    Timestamp(rfc3339: text) ?? Timestamp(seconds: 0)
  }
}
