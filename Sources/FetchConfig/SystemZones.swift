package import FetchModel
import FetchValues
import Foundation

/// The system's time zones as values that pure code can use.
package enum SystemZones {
  /// The zone the system's clock is set to.
  package static let local = zone(.current)

  /// Returns a zone of the IANA database by its name, or a fixed one such as `UTC`; nil if it is
  /// unknown.
  package static func zone(named name: String) -> ZoneOffsets? {
    guard let zone = TimeZone(identifier: name) else { return nil }
    return self.zone(zone)
  }

  /// The names for `NearestName`.
  package static var names: [String] { TimeZone.knownTimeZoneIdentifiers + ["UTC"] }

  private static func zone(_ zone: TimeZone) -> ZoneOffsets {
    ZoneOffsets(name: zone.identifier) { time in
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.seconds)))
    }
  }
}
