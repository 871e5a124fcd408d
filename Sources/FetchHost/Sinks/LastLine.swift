import FetchModel

/// The last line of what a program writes that has something on it, however much it writes. Of one
/// that is longer than it may be, the beginning: what is told of it is found there, and no secret in
/// that is cut in two.
struct LastLine {
  /// What is told is much shorter, so that a secret that begins in it is here to its end.
  static let bytesMax = SecretValue.bytesMax + (64 << 10)

  private var whole: [UInt8] = []
  private var current: [UInt8] = []

  var bytes: [UInt8] { Self.isBlank(current) ? whole : current }

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let end = rest.firstIndex(where: Self.endsLine) {
      add(rest[..<end])
      if !Self.isBlank(current) { whole = current }
      current.removeAll(keepingCapacity: true)
      rest = rest[(end + 1)...]
    }
    add(rest)
  }

  private mutating func add(_ part: ArraySlice<UInt8>) {
    current += part.prefix(Self.bytesMax - current.count)
  }

  /// Progress is written with returns alone.
  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
  }
}
