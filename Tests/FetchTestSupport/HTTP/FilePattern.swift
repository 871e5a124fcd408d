import Glibc

/// The pseudorandom contents of a large file, without a file. Any part can be computed directly.
/// Each version has other contents.
package struct FilePattern: Sendable {
  package let version: Int
  package let size: Int64
  private let block: [UInt8]

  /// The period of the pattern in bytes. The period is a prime, so that no power of two is a
  /// multiple of the period.
  private static let period = 1_000_003

  package init(version: Int = 1, size: Int64) {
    self.version = version
    self.size = size
    var state = UInt64(truncatingIfNeeded: version) &* 0x9E37_79B9_7F4A_7C15
    var block: [UInt8] = []
    block.reserveCapacity(Self.period)
    while block.count < Self.period {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { block.append(contentsOf: $0.prefix(Self.period - block.count)) }
    }
    self.block = block
  }

  package func bytes(_ range: Range<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let start = Int(offset % Int64(Self.period))
      let count = min(Self.period - start, Int(range.upperBound - offset))
      bytes += block[start..<(start + count)]
      offset += Int64(count)
    }
    return bytes
  }

  package var all: [UInt8] { bytes(0..<size) }

  /// Whether the file at a path has exactly the contents of this pattern.
  package func isFile(_ path: String) -> Bool {
    guard let file = fopen(path, "r") else { return false }
    defer { fclose(file) }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    var offset: Int64 = 0
    while true {
      let count = Int64(fread(&chunk, 1, chunk.count, file))
      // A folder can be opened as an empty file, and fails only when it is read.
      if count == 0 { return offset == size && ferror(file) == 0 }
      guard offset + count <= size,
        chunk[..<Int(count)].elementsEqual(bytes(offset..<(offset + count)))
      else { return false }
      offset += count
    }
  }
}

extension FilePattern: CustomStringConvertible {
  /// The description in the message of a failed expectation, instead of a million bytes.
  package var description: String { "version \(version) of a file of \(size) bytes" }
}
