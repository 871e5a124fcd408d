package import FetchValues

/// The earliest time at which a server allows the next request (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// The maximum delay. A longer delay is shortened, because some servers request years.
  package static let delayMax: Duration = .seconds(7 * 86_400)

  /// Returns the time from a number of seconds or a date, at most `delayMax` from now; nil for any
  /// other text. The delay until a date is counted from the server's own `Date`, if there is one. A
  /// difference between the two clocks then does not matter.
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
