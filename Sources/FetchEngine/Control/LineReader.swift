/// Cuts bytes as they come into lines, none longer than a limit.
struct LineReader {
  private var bytes: [UInt8] = []
  private var searched = 0
  private let bytesMax: Int

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// The next line without its end; nil when there is none yet.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    let line = Array(bytes[..<end])
    bytes.removeFirst(end + 1)
    searched = 0
    return line
  }

  /// Whether the line that has begun can no longer be one.
  var isTooLong: Bool { bytes.count >= bytesMax }
}
