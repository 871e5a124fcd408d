package import FetchValues

/// The earliest time at which a server allows the next request (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The maximum delay. A longer delay is shortened, because some servers request years.
  package static let delayMax: Duration = .seconds(7 * 86_400)

  /// Returns the time that a number of seconds or a date means; nil for any other text. The time is
  /// at most `delayMax` from now. A date is compared with the server's `Date`, if that is valid,
  /// because the server's clock may be wrong.
  package static func instant(
    _ value: String, date serverDate: String?, now: Timestamp
  ) -> Timestamp? {
    let text = value.trimmingHTTPSpace
    if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
      let seconds = Int64(text) ?? .max
      return now + .seconds(min(seconds, delayMax.components.seconds))
    }
    guard let wanted = HTTPDate.parse(String(text)) else { return nil }
    let serverNow = serverDate.flatMap(HTTPDate.parse) ?? now
    return now + min(max(wanted - serverNow, .zero), delayMax)
  }
}
