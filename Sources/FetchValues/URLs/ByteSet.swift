/// A set of ASCII bytes, stored in two numbers of 64 bits.
public struct ByteSet: Sendable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0

  public init(_ members: StaticString) {
    for index in 0..<members.utf8CodeUnitCount { insert(members.utf8Start[index]) }
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 &<< UInt64(byte) } else { high |= 1 &<< UInt64(byte & 63) }
  }

  public func union(_ other: ByteSet) -> ByteSet {
    var both = self
    both.low |= other.low
    both.high |= other.high
    return both
  }

  /// Whether the set contains the byte; false for bytes outside ASCII.
  @inlinable @inline(__always)
  public func contains(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 != 0
  }

  public static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  public static let digits = ByteSet("0123456789")
  /// The unreserved characters of URLs (RFC 3986 section 2.3).
  public static let unreserved = letters.union(digits).union(ByteSet("-._~"))
  /// The bytes that a scheme may have after its first character (RFC 3986 section 3.1).
  public static let scheme = letters.union(digits).union(ByteSet("+-."))
}
