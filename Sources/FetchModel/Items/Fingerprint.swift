/// A hash of an item's meaning; `ItemCanonicalText` lists what it ignores. Items with equal
/// fingerprints are equal.
package struct Fingerprint: Hashable, Sendable {
  /// The first sixteen bytes of SHA-256, big-endian. An accidental collision needs 2^64 items; a
  /// plugin that makes one on purpose only hides its own news.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a fingerprint; nil unless there are exactly 16 bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Fingerprint: CustomStringConvertible {
  /// 32 hexadecimal digits.
  package var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
