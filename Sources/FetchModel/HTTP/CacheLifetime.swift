/// For how long an answer may be kept (RFC 9111 section 4.2).
package enum CacheLifetime {
  /// What is left of it when the answer arrives; nil where the server says nothing that can be
  /// read, or that it must not be kept.
  package static func left(_ headers: [HTTPField], now: Timestamp) -> Duration? {
    if let control = value("cache-control", headers) {
      guard let age = maxAge(control) else { return nil }
      let spent = value("age", headers).flatMap { Int64($0) } ?? 0
      return .seconds(max(0, age - max(0, min(spent, age))))
    }
    guard let expires = value("expires", headers).flatMap(HTTPDate.parse) else { return nil }
    let sent = value("date", headers).flatMap(HTTPDate.parse) ?? now
    return max(.zero, expires - sent)
  }

  private static let secondsMax: Int64 = 1 << 31

  /// nil without one, and where a directive forbids to keep the answer.
  private static func maxAge(_ control: String) -> Int64? {
    var age: Int64?
    for part in control.utf8.split(separator: UInt8(ascii: ",")) {
      let directive = Substring(part).trimmingHTTPSpace.asciiLowercased
      if directive == "no-store" || directive == "no-cache" { return nil }
      if directive.hasPrefix("max-age="), let seconds = Int64(directive.dropFirst(8)) {
        age = max(0, min(seconds, secondsMax))
      }
    }
    return age
  }

  private static func value(_ name: String, _ headers: [HTTPField]) -> String? {
    headers.first { $0.name == name }?.value
  }
}
