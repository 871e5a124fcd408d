package import FetchValues

/// The time when an answer's body last changed, according to the server (RFC 9110, section 8.8.2).
package enum ModifiedTime {
  /// The largest clock error of a server whose modification times are used.
  private static let clockErrorMax: Duration = .seconds(60)
  /// The minimum age of a usable modification time. The modification time of a page that is
  /// generated for each request is the time of the answer.
  private static let ageMin: Duration = .seconds(2)
  private static let cachedMax: Int64 = 1 << 31

  /// Returns the time of the last change; nil if the server gives no usable time. A usable time is
  /// at least two seconds before the answer's `Date`, or before `now` if there is no `Date`. If
  /// there is a `Date`, the server's clock may be wrong by at most a minute.
  package static func read(_ headers: [HTTPField], now: Timestamp) -> Timestamp? {
    guard let modified = value("last-modified", headers).flatMap(HTTPDate.parse) else { return nil }
    let date = value("date", headers).flatMap(HTTPDate.parse)
    if let date {
      // A cache sends the date of the original answer, and the number of seconds since that date in
      // `age`.
      let cached = value("age", headers).flatMap { Int64($0) } ?? 0
      let error = date + .seconds(max(0, min(cached, cachedMax))) - now
      guard error >= .zero - clockErrorMax, error <= clockErrorMax else { return nil }
    }
    return (date ?? now) - modified >= ageMin ? modified : nil
  }

  private static func value(_ name: String, _ headers: [HTTPField]) -> String? {
    headers.first { $0.name == name }?.value
  }
}
