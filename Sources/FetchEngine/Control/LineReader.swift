/// Cuts bytes as they come into lines, none longer than a limit.
struct LineReader {
  private var bytes: [UInt8] = []
  /// What is before has been taken.
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

  /// The next line without its end; nil when there is none yet.
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

  /// Whether the line that has begun can no longer be one.
  var isTooLong: Bool { bytes.count - start >= bytesMax }
}
