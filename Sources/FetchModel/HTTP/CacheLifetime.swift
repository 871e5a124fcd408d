/// For how long an answer may be kept (RFC 9111 section 4.2).
package enum CacheLifetime {
  /// What is left of it when the answer arrives; nil where the server says nothing that can be
  /// read, or that it must not be kept.
  package static func left(_ headers: [HTTPField], now: Timestamp) -> Duration? {
    switch control(headers) {
    case .forbids: return nil
    case .silent: break
    case .maxAge(let age):
      let spent = value("age", headers).flatMap { Int64($0) } ?? 0
      return .seconds(max(0, age - max(0, min(spent, age))))
    }
    guard let expires = value("expires", headers).flatMap(HTTPDate.parse) else { return nil }
    let sent = value("date", headers).flatMap(HTTPDate.parse) ?? now
    return max(.zero, expires - sent)
  }

  private static let secondsMax: Int64 = 1 << 31

  /// What Cache-Control says of the lifetime.
  private enum Control {
    case silent
    case forbids
    case maxAge(Int64)
  }

  private static func control(_ headers: [HTTPField]) -> Control {
    var control = Control.silent
    guard let text = value("cache-control", headers) else { return control }
    for part in text.utf8.split(separator: UInt8(ascii: ",")) {
      let directive = Substring(part).trimmingHTTPSpace.asciiLowercased
      if directive == "no-store" || directive == "no-cache" { return .forbids }
      if directive.hasPrefix("max-age=") {
        // What cannot be read is stale (RFC 9111 section 4.2.1).
        let seconds = Int64(directive.dropFirst(8)) ?? 0
        control = .maxAge(max(0, min(seconds, secondsMax)))
      }
    }
    return control
  }

  private static func value(_ name: String, _ headers: [HTTPField]) -> String? {
    headers.first { $0.name == name }?.value
  }
}
