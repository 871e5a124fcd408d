/// The functions that test eight bytes of a text at once, as one number.
///
/// With Swift's SIMD types, the test whether any byte matches takes one step for each element. A
/// loop that uses these types takes four times as long as a loop over the bytes (measured).
///
/// The type is public so that other modules can inline its functions. With `package` functions, the
/// calls took 4 % of the instructions of a first fetch.
public enum ByteBlock {
  @inlinable static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable static var highs: UInt64 { 0x8080_8080_8080_8080 }
  @inlinable static var lows: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  /// Returns a mask of the bytes that are `byte`. The high bit of each of these bytes is set. The
  /// lowest bit that is set belongs to such a byte; higher bits may belong to other bytes.
  @inlinable public static func first(_ byte: UInt8, _ block: UInt64) -> UInt64 {
    let difference = block ^ (ones &* UInt64(byte))
    return (difference &- ones) & ~difference & highs
  }

  /// Returns a mask of the bytes that are less than a space. The high bit of each of these bytes is
  /// set, and no other bit is set.
  @inlinable public static func controls(_ block: UInt64) -> UInt64 {
    ~((block & lows) &+ ones &* 0x60 | block) & highs
  }

  /// Returns a mask of the bytes that are at most a space, as `controls` does.
  @inlinable public static func blanks(_ block: UInt64) -> UInt64 {
    ~((block & lows) &+ ones &* 0x5F | block) & highs
  }

  /// Returns the index of the first byte in a mask that is not 0.
  @inlinable public static func index(_ mask: UInt64) -> Int { mask.trailingZeroBitCount / 8 }

  /// Returns the eight bytes at an offset. The first byte is the lowest one of the number.
  @inlinable public static func load(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }
}
