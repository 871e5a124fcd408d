package import FetchValues

/// The last change of an answer's body by its server (RFC 9110, section 8.8.2).
package enum ModifiedTime {
  /// The largest clock error; a server with more gives no usable times.
  private static let clockErrorMax: Duration = .seconds(60)
  /// A younger date is the time of the answer, as of a page generated for each request.
  private static let ageMin: Duration = .seconds(2)
  private static let cachedMax: Int64 = 1 << 31

  /// Returns the time; nil if the server gives none, or one that is not a change: in the future,
  /// the time of the answer itself, or by a wrong clock.
  package static func read(_ headers: [HTTPField], now: Timestamp) -> Timestamp? {
    guard let modified = value("last-modified", headers).flatMap(HTTPDate.parse) else { return nil }
    let date = value("date", headers).flatMap(HTTPDate.parse)
    if let date {
      // A cache sends the date of the first answer and the time since then.
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
