/// The encoding of a list of counts. The encoding begins with one bit for each count. The bit is
/// set if the count is not zero. The counts that are not zero follow as little-endian 32-bit
/// floats.
enum SparseCounts {
  private static let countMax: Float = 1e9

  static func encode(_ counts: [Float]) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: (counts.count + 7) / 8)
    var values: [UInt8] = []
    for (index, count) in counts.enumerated() where count != 0 {
      bits[index / 8] |= 1 << UInt8(index % 8)
      withUnsafeBytes(of: count.bitPattern.littleEndian) { values.append(contentsOf: $0) }
    }
    return bits + values
  }

  /// Returns the decoded counts; nil unless the bytes encode exactly `count` valid counts.
  static func decode(_ bytes: UnsafeRawBufferPointer, count: Int) -> [Float]? {
    let bitBytes = (count + 7) / 8
    guard bytes.count >= bitBytes else { return nil }
    var counts = [Float](repeating: 0, count: count)
    var offset = bitBytes
    for index in 0..<count where bytes[index / 8] >> UInt8(index % 8) & 1 == 1 {
      guard bytes.count - offset >= 4 else { return nil }
      let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let value = Float(bitPattern: bits)
      guard value >= 0, value <= countMax else { return nil }
      counts[index] = value
      offset += 4
    }
    return offset == bytes.count ? counts : nil
  }
}
