import FetchValues

/// The encoding of the time since which a job has been stale. In the ledger, the time takes eight
/// bytes, little-endian.
enum StaleMark {
  static func bytes(_ time: Timestamp) -> [UInt8] {
    withUnsafeBytes(of: time.milliseconds.littleEndian) { Array($0) }
  }

  /// Returns the time that the bytes encode; nil if they are not a valid time.
  static func time(_ bytes: [UInt8]) -> Timestamp? {
    guard bytes.count == 8 else { return nil }
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Timestamp(milliseconds: Int64(bitPattern: bits))
  }
}
