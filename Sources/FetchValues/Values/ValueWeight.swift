/// The memory that encoded values need after the host has decoded them. It is computed without
/// decoding the values.
///
/// A list of `true` takes one byte for each element in encoded form, and 48 in memory. A table that
/// Lua code uses a thousand times is one table in Lua, and a thousand in the host. The host
/// therefore weighs a worker's values before it decodes them.
///
/// The weight also includes the additional bytes of control characters in JSON. It does not include
/// the additional bytes of quotes and backslashes.
package struct ValueWeight: Equatable, Sendable {
  /// The weight in bytes. Weighing stops after the field or element with which the weight exceeds
  /// `bytesMax`.
  package private(set) var bytes = 0
  package let bytesMax: Int

  /// The memory of one value, in bytes: its box on the heap (32), and its place in a list that grew
  /// by doubling (16).
  static let valueBytes = 48
  /// The memory of the heap object for a string that does not fit into the 16 bytes of a `String`,
  /// in bytes.
  static let textBytes = 64
  /// The maximum length of a string that needs no heap object, in bytes.
  private static let inlineTextBytesMax = 15
  /// The memory of the heap object for a list or table, in bytes.
  static let containerBytes = 64
  /// The memory of a field name's place in a table that grew by doubling, in bytes.
  static let nameBytes = 32
  /// The memory of an item without its texts and its identity, in bytes.
  static let itemBytes = 96
  /// The number of additional bytes for a control character in JSON, where it takes at most six
  /// bytes instead of one.
  private static let controlBytes = 5

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  package var isExceeded: Bool { bytes > bytesMax }

  /// Adds the weight of the values in `encoded`, until the weight exceeds `bytesMax`.
  package mutating func add(_ encoded: UnsafeRawBufferPointer) throws(ValueError) {
    var reader = ValueReader(encoded)
    while !reader.isAtEnd, !isExceeded { try add(&reader, depth: 0) }
  }

  /// Adds the weight of the items in `encoded`, until the weight exceeds `bytesMax`.
  package mutating func add(items encoded: UnsafeRawBufferPointer) throws(ValueError) {
    var reader = ValueReader(encoded)
    while !reader.isAtEnd, !isExceeded { try addItem(&reader) }
  }

  /// Weighs an item. The texts of the standard fields need no box and no name.
  private mutating func addItem(_ reader: inout ValueReader) throws(ValueError) {
    guard try reader.peekTag() == ValueTag.object else { return try add(&reader, depth: 0) }
    bytes += Self.itemBytes
    for _ in 0..<(try reader.readObjectHead()) {
      if isExceeded { return }
      let name = try reader.readStringBytes()
      if Self.isText(try reader.peekTag()), StandardField(name) != nil {
        add(text: try reader.readStringBytes())
      } else {
        add(name: name)
        try add(&reader, depth: 1)
      }
    }
  }

  private mutating func add(_ reader: inout ValueReader, depth: Int) throws(ValueError) {
    guard depth <= ValueReader.depthMaxDefault else { throw .tooDeep(ValueReader.depthMaxDefault) }
    bytes += Self.valueBytes
    switch try reader.peekTag() {
    case ValueTag.string, ValueTag.shortString: add(text: try reader.readStringBytes())
    case ValueTag.array:
      bytes += Self.containerBytes
      for _ in 0..<(try reader.readArrayHead()) {
        if isExceeded { return }
        try add(&reader, depth: depth + 1)
      }
    case ValueTag.object:
      bytes += Self.containerBytes
      for _ in 0..<(try reader.readObjectHead()) {
        if isExceeded { return }
        add(name: try reader.readStringBytes())
        try add(&reader, depth: depth + 1)
      }
    default: try reader.skipValue()
    }
  }

  private mutating func add(name: UnsafeRawBufferPointer) {
    bytes += Self.nameBytes
    add(text: name)
  }

  private mutating func add(text: UnsafeRawBufferPointer) {
    bytes += text.count + Self.controlCount(text) * Self.controlBytes
    if text.count > Self.inlineTextBytesMax { bytes += Self.textBytes }
  }

  /// Returns the number of control characters in a text.
  private static func controlCount(_ text: UnsafeRawBufferPointer) -> Int {
    guard text.count >= 8 else { return text.count { $0 < 0x20 } }
    var count = 0
    var index = 0
    while index &+ 8 <= text.count {
      let controls = ByteBlock.controls(ByteBlock.load(text, at: index))
      if controls != 0 { count &+= controls.nonzeroBitCount }
      index &+= 8
    }
    // The last block overlaps the block before it, whose bytes are shifted out.
    let last = ByteBlock.controls(ByteBlock.load(text, at: text.count &- 8))
    return count &+ (last >> (8 * UInt64(index &+ 8 &- text.count))).nonzeroBitCount
  }

  private static func isText(_ tag: UInt8) -> Bool {
    tag == ValueTag.string || tag == ValueTag.shortString
  }
}
