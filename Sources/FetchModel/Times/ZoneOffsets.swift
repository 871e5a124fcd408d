package import FetchValues

/// A time zone for pure code: its name, and the offset of its clocks at an instant. The creator
/// reads the system's zones.
package struct ZoneOffsets: Sendable {
  /// The name in the IANA time zone database: `Europe/Berlin`.
  package let name: String
  /// Seconds east of UTC.
  package let secondsEast: @Sendable (Timestamp) -> Int

  package init(name: String, secondsEast: @escaping @Sendable (Timestamp) -> Int) {
    self.name = name
    self.secondsEast = secondsEast
  }

  package static let utc = ZoneOffsets(name: "UTC") { _ in 0 }

  /// Returns the seconds since 1970-01-01T00:00:00 on the zone's clocks.
  package func clockSeconds(at time: Timestamp) -> Int64 {
    time.seconds + Int64(secondsEast(time))
  }

  /// Returns the calendar day there.
  package func date(at time: Timestamp) -> CivilDate {
    CivilDate(daysSinceEpoch: clockSeconds(at: time).floorDivided(by: 86_400))
  }
}

extension ZoneOffsets: Hashable {
  /// Compares only the names.
  package static func == (left: ZoneOffsets, right: ZoneOffsets) -> Bool {
    left.name == right.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
