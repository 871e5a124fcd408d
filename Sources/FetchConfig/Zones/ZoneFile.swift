/// A file of the IANA time zone database in the format TZif (RFC 9636). It contains the instants at
/// which a zone's offset changes, and may contain the rule for the time after the last instant.
///
/// A damaged file is rejected or gives wrong offsets.
struct ZoneFile: Sendable {
  /// The instants at which an offset begins, in seconds since 1970, ascending.
  private let transitions: [Int64]
  /// The offset that begins with each transition, in seconds east of UTC.
  private let offsets: [Int]
  /// The offset before the first transition, in seconds east of UTC.
  private let first: Int
  private let rule: ZoneRule?

  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard var header = reader.header() else { return nil }
    var timeWidth = 4
    if header.version >= UInt8(ascii: "2") {
      // The first block has times of 32 bits, for readers of version 1.
      guard reader.skip(header.blockBytes(timeWidth)), let second = reader.header() else {
        return nil
      }
      (header, timeWidth) = (second, 8)
    }
    guard reader.has(header.blockBytes(timeWidth)), header.typeCount > 0 else { return nil }
    transitions = (0..<header.timeCount).map { _ in reader.integer(timeWidth) }
    let types = (0..<header.timeCount).map { _ in Int(reader.byte()) }
    let typeOffsets = (0..<header.typeCount).map { _ in
      let offset = Int(reader.integer(4))
      _ = reader.skip(2)
      return offset
    }
    guard types.allSatisfy(typeOffsets.indices.contains),
      typeOffsets.allSatisfy({ abs($0) < ZoneRule.secondsMax }),
      zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    offsets = types.map { typeOffsets[$0] }
    first = typeOffsets[0]
    _ = reader.skip(
      header.blockBytes(timeWidth) - header.timeCount * (timeWidth + 1)
        - header.typeCount * 6)
    // The footer is the rule between two line feeds.
    rule = timeWidth == 8 ? ZoneRule(posix: reader.footer()) : nil
  }

  /// Returns the zone's offset in seconds east of UTC. `seconds` is a time in seconds since 1970.
  func secondsEast(at seconds: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == transitions.count, let rule { return rule.secondsEast(at: seconds) }
    return low == 0 ? first : offsets[low - 1]
  }

  private struct Header {
    var version: UInt8
    var utcCount, standardCount, leapCount, timeCount, typeCount, nameBytes: Int

    func blockBytes(_ timeWidth: Int) -> Int {
      timeCount * (timeWidth + 1) + typeCount * 6 + nameBytes + leapCount * (timeWidth + 4)
        + standardCount + utcCount
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    func has(_ count: Int) -> Bool { count <= bytes.count - position }

    mutating func skip(_ count: Int) -> Bool {
      guard has(count) else { return false }
      position += count
      return true
    }

    /// Returns the next byte.
    /// - Precondition: a byte is left.
    mutating func byte() -> UInt8 {
      defer { position += 1 }
      return bytes[position]
    }

    /// Returns a signed big-endian integer of 4 or 8 bytes.
    ///
    /// - Precondition: enough bytes are left.
    mutating func integer(_ width: Int) -> Int64 {
      var bits: UInt64 = 0
      for _ in 0..<width { bits = bits << 8 | UInt64(byte()) }
      return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
    }

    mutating func header() -> Header? {
      guard has(44), bytes[position..<position + 4].elementsEqual("TZif".utf8) else { return nil }
      let version = bytes[position + 4]
      position += 20
      let counts = (0..<6).map { _ in Int(integer(4)) }
      // No file of the database has more than 1000 entries of one kind.
      guard counts.allSatisfy({ (0...10_000).contains($0) }) else { return nil }
      return Header(
        version: version, utcCount: counts[0], standardCount: counts[1], leapCount: counts[2],
        timeCount: counts[3], typeCount: counts[4], nameBytes: counts[5])
    }

    /// Returns the bytes after the next line feed, up to the line feed that follows it. Returns no
    /// bytes if the next byte is not a line feed.
    func footer() -> [UInt8] {
      let rest = bytes[position...]
      guard rest.first == UInt8(ascii: "\n") else { return [] }
      return Array(rest.dropFirst().prefix { $0 != UInt8(ascii: "\n") })
    }
  }
}
