package import FetchValues

/// A time zone as pure code needs it: its name, and how far its clocks are ahead of UTC at an
/// instant. Who makes one reads the system's zones.
package struct ZoneOffsets: Sendable {
  /// As in the IANA time zone database: `Europe/Berlin`.
  package let name: String
  /// Seconds east of UTC.
  package let secondsEast: @Sendable (Timestamp) -> Int

  package init(name: String, secondsEast: @escaping @Sendable (Timestamp) -> Int) {
    self.name = name
    self.secondsEast = secondsEast
  }

  package static let utc = ZoneOffsets(name: "UTC") { _ in 0 }

  /// Seconds since 1970-01-01T00:00:00 on the zone's clocks.
  package func clockSeconds(at time: Timestamp) -> Int64 {
    time.seconds + Int64(secondsEast(time))
  }

  /// The calendar day there.
  package func date(at time: Timestamp) -> CivilDate {
    CivilDate(daysSinceEpoch: clockSeconds(at: time).floorDivided(by: 86_400))
  }
}

extension ZoneOffsets: Hashable {
  /// Zones of the same name are the same.
  package static func == (left: ZoneOffsets, right: ZoneOffsets) -> Bool {
    left.name == right.name
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
