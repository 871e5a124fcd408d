/// A splitter of incoming bytes into lines. No line may be longer than a limit.
struct LineReader {
  private var bytes: [UInt8] = []
  /// The offset of the first byte that `next` has not returned.
  private var start = 0
  private var searched = 0
  private let bytesMax: Int

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes.append(contentsOf: more)
  }

  /// Returns the next line without its line break; nil if the line is not complete yet.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    defer {
      start = end + 1
      searched = start
    }
    return Array(bytes[start..<end])
  }

  /// Whether the unfinished line is already too long.
  var isTooLong: Bool { bytes.count - start >= bytesMax }
}
