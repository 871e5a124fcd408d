package import FetchValues

/// The time for which an answer may be cached (RFC 9111 section 4.2).
package enum CacheLifetime {
  /// Returns the remaining lifetime of an answer that arrives now. Returns nil if the server
  /// forbids caching, or gives neither `max-age` nor a valid `Expires`. An invalid `max-age` counts
  /// as 0.
  package static func left(_ headers: [HTTPField], now: Timestamp) -> Duration? {
    let spent = min(max(value("age", headers).flatMap { Int64($0) } ?? 0, 0), secondsMax)
    switch control(headers) {
    case .forbids: return nil
    case .silent: break
    case .maxAge(let age): return .seconds(max(0, age - spent))
    }
    guard let expires = value("expires", headers).flatMap(HTTPDate.parse) else { return nil }
    let sent = value("date", headers).flatMap(HTTPDate.parse) ?? now
    return max(.zero, expires - sent - .seconds(spent))
  }

  private static let secondsMax: Int64 = 1 << 31

  private enum Control {
    case silent
    case forbids
    case maxAge(Int64)
  }

  private static func control(_ headers: [HTTPField]) -> Control {
    var control = Control.silent
    for directive in directives(headers) {
      switch (directive.name, directive.value) {
      case ("no-store", _), ("no-cache", nil): return .forbids
      case ("max-age", let value):
        // The first of several values counts (RFC 9111 section 4.2.1).
        if case .silent = control { control = .maxAge(seconds(value ?? "")) }
      default: break
      }
    }
    return control
  }

  /// Returns a number of seconds. An invalid value counts as 0, so that the answer is stale (RFC
  /// 9111 section 4.2.1).
  private static func seconds(_ text: String) -> Int64 {
    guard text.utf8.allSatisfy(\.isASCIIDigit), !text.isEmpty else { return 0 }
    return min(Int64(text) ?? secondsMax, secondsMax)
  }

  /// Returns the directives of `Cache-Control`, with names in lower case and values without quotes
  /// (RFC 9111 section 5.2).
  private static func directives(_ headers: [HTTPField]) -> [(name: String, value: String?)] {
    headers.filter { $0.name == "cache-control" }.flatMap { parts(of: Array($0.value.utf8)) }
      .map { part in
        let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
        let texts = sides.map {
          String(String(decoding: $0, as: UTF8.self).trimmingHTTPSpace)
        }
        return (texts.first?.asciiLowercased ?? "", texts.count == 2 ? unquoted(texts[1]) : nil)
      }
  }

  /// Splits a line at commas outside quotes. An unclosed quote is an ordinary byte, so that the
  /// commas after it still count. After an unclosed quote, the function looks for no further
  /// quotes. Otherwise, a line of many `\"` would take quadratic time.
  private static func parts(of line: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var place = 0
    var hasQuotes = true
    while place < line.count {
      if hasQuotes, line[place] == UInt8(ascii: "\"") {
        let end = quoteEnd(line, from: place)
        hasQuotes = end != nil
        place = end ?? place
      }
      if line[place] == UInt8(ascii: ",") {
        parts.append(line[start..<place])
        start = place + 1
      }
      place += 1
    }
    return parts + [line[start...]]
  }

  /// Returns the index of the closing quote; nil if there is none (RFC 9110 section 5.6.4).
  private static func quoteEnd(_ line: [UInt8], from start: Int) -> Int? {
    var place = start + 1
    while place < line.count, line[place] != UInt8(ascii: "\"") {
      place += line[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place < line.count ? place : nil
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    var plain = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        plain.append(character)
        isEscaped = false
      }
    }
    return plain
  }

  private static func value(_ name: String, _ headers: [HTTPField]) -> String? {
    headers.first { $0.name == name }?.value
  }
}
