package import FetchModel
import FetchValues
import Foundation

/// The time zones of the system, as values for code that does not access the system.
package enum SystemZones {
  /// The system's own time zone.
  package static let local = zone(.current)

  /// Returns a zone of the IANA database by its name, or a fixed zone such as `UTC`; nil if the
  /// name is unknown.
  package static func zone(named name: String) -> ZoneOffsets? {
    guard let zone = TimeZone(identifier: name) else { return nil }
    return self.zone(zone)
  }

  /// The names of all zones, from which `NearestName` suggests one.
  package static var names: [String] { TimeZone.knownTimeZoneIdentifiers + ["UTC"] }

  private static func zone(_ zone: TimeZone) -> ZoneOffsets {
    ZoneOffsets(name: zone.identifier) { time in
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.seconds)))
    }
  }
}
