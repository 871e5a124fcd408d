/// A hash of an item's meaning; `ItemCanonicalText` lists the differences that the hash ignores.
/// Items with equal fingerprints count as equal.
package struct Fingerprint: Hashable, Sendable {
  /// The first eight of the sixteen bytes, big-endian. The sixteen bytes begin a SHA-256 hash. An
  /// accidental collision needs about 2^64 items. A plugin that makes a collision on purpose only
  /// hides its own news.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a fingerprint from its bytes; nil unless there are exactly 16 bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The fingerprint as 32 hexadecimal digits.
  package var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
