import FetchValues

/// Which part of a representation an answer holds (RFC 9110 section 14.4): `bytes 0-499/1234`.
package struct ContentRange: Equatable, Sendable {
  /// The first byte, and the one after the last; nil in an answer that has none (416).
  package var bytes: Range<Int64>?
  /// Of the whole; nil where the server does not know it (`*`).
  package var totalBytes: Int64?

  package init(bytes: Range<Int64>?, totalBytes: Int64?) {
    self.bytes = bytes
    self.totalBytes = totalBytes
  }

  /// nil for what is no range of bytes, or a range that cannot be: an end before its start, or past
  /// the total.
  package init?(parsing text: String) {
    let words = text.trimmingHTTPSpace.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].asciiLowercased.hasSameBytes(as: "bytes") else { return nil }
    let parts = words[1].trimmingHTTPSpace.split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if !parts[1].hasSameBytes(as: "*") {
      guard let total = Self.number(parts[1]) else { return nil }
      totalBytes = total
    }
    if parts[0].hasSameBytes(as: "*") { return }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, totalBytes.map({ last < $0 }) ?? true
    else { return nil }
    bytes = first..<(last + 1)
  }

  /// Digits and nothing else, of fewer bytes than any disk holds.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return Int64(text)
  }
}
