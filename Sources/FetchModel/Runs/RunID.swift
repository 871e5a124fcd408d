package import FetchValues

/// The id of one run. The id is a UUID of version 7 (RFC 9562 section 5.7). Ids therefore sort by
/// the milliseconds at which the runs started.
package struct RunID: Hashable, Sendable {
  /// The first eight bytes of the id, big-endian: 48 bits of milliseconds, the version, and 12
  /// random bits.
  package let high: UInt64
  /// The last eight bytes of the id, big-endian: the variant and 62 random bits.
  package let low: UInt64

  /// Creates the id of a run that began at `startedAt`. The bits of `random` make the id unique.
  package init(startedAt: Timestamp, random: (UInt64, UInt64)) {
    let milliseconds = UInt64(clamping: startedAt.milliseconds) & 0xFFFF_FFFF_FFFF
    high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
    low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// Creates an id from its 16 bytes; nil for any other number of bytes. The version of the UUID is
  /// not checked.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  package var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }

  package var startedAt: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }
}

extension RunID: Comparable {
  package static func < (left: RunID, right: RunID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension RunID: CustomStringConvertible {
  /// The id in the usual form of a UUID, in lower case: `019a9c2e-7b1b-7c3d-9f00-0123456789ab`.
  package var description: String {
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      Hexadecimal.append(byte, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses the usual form of a UUID, in upper or lower case; nil for any other text.
  package init?(_ text: String) {
    let characters = Array(text.utf8)
    let hyphens = [8, 13, 18, 23]
    guard characters.count == 36, hyphens.allSatisfy({ characters[$0] == UInt8(ascii: "-") }),
      let bytes = Hexadecimal.bytes(
        of: characters.enumerated().compactMap { index, byte in
          hyphens.contains(index) ? nil : byte
        })
    else { return nil }
    self.init(bytes: bytes)
  }
}
