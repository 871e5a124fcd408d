package import FetchValues

/// The time of the next request that a server asks for (RFC 9110 section 10.2.3).
package enum RetryAfter {
  /// Servers have sent years; a week is "not soon", and the scheduler probes then.
  package static let delayMax: Duration = .seconds(7 * 86_400)

  /// Parses both forms, seconds and a date; nil for neither. A date counts from the server's own
  /// `Date`, so that a wrong clock on either side does not matter.
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
