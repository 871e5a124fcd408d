extension Timestamp {
  /// The time in the form of RFC 3339, in UTC, with milliseconds only if they are not zero:
  /// `2026-11-20T10:00:00Z`. The result is nil for years before 0 or after 9999, which this form
  /// cannot express.
  package var rfc3339: String? {
    guard Self.rfc3339Range.contains(milliseconds) else { return nil }
    return milliseconds % 1000 == 0 ? descriptionInSeconds : description
  }

  private static let rfc3339Range: Range<Int64> =
    -62_167_219_200_000..<253_402_300_800_000
}

extension CivilDate {
  /// The number of the weekday in UTC; Sunday is 0.
  package var weekday: Int {
    let day = Int((daysSinceEpoch + 4) % 7)
    return day < 0 ? day + 7 : day
  }
}
