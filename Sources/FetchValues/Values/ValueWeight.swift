/// The memory that encoded values take once the host has read them, computed without reading them
/// into memory.
///
/// A list of `true` takes one byte for each element on the wire, and 48 in memory. A table that Lua
/// code uses a thousand times is one table in Lua, and a thousand in the host. A worker's values
/// are therefore weighed before they are read.
///
/// The weight is also at least the length of the values as JSON, the form in the store.
package struct ValueWeight: Equatable, Sendable {
  /// The weight in bytes. It never exceeds `bytesMax` by much, because weighing then stops.
  package private(set) var bytes = 0
  package let bytesMax: Int

  /// One value: its box on the heap (32), and its place in a list that grew by doubling (16).
  static let valueBytes = 48
  /// The heap object of a text that does not fit into its 16 bytes.
  static let textBytes = 64
  /// The longest text without a heap object.
  private static let inlineTextBytesMax = 15
  /// The heap object of a list or table.
  static let containerBytes = 64
  /// The place of a field's name in a table that grew by doubling.
  static let nameBytes = 32
  /// An item without its texts. Its identity takes more; the limit of items covers that, and counts
  /// nearly empty items too.
  static let itemBytes = 96
  /// A control character takes six bytes of JSON, five more than its own.
  private static let controlBytes = 5

  package init(bytesMax: Int) { self.bytesMax = bytesMax }

  package var isExceeded: Bool { bytes > bytesMax }

  /// Weighs all consecutive values in `encoded`, or those up to the limit.
  package mutating func add(_ encoded: UnsafeRawBufferPointer) throws(ValueError) {
    var reader = ValueReader(encoded)
    while !reader.isAtEnd, !isExceeded { try add(&reader, depth: 0) }
  }

  /// Weighs all consecutive items in `encoded`, or those up to the limit.
  package mutating func add(items encoded: UnsafeRawBufferPointer) throws(ValueError) {
    var reader = ValueReader(encoded)
    while !reader.isAtEnd, !isExceeded { try addItem(&reader) }
  }

  /// Weighs an item. Its standard texts need no box and no name.
  private mutating func addItem(_ reader: inout ValueReader) throws(ValueError) {
    guard try reader.peekTag() == ValueTag.object else { return try add(&reader, depth: 0) }
    bytes += Self.itemBytes
    for _ in 0..<(try reader.readObjectHead()) {
      if isExceeded { return }
      let name = try reader.readStringBytes()
      if Self.isText(try reader.peekTag()), Self.isPlaceOfItem(name) {
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

  /// Counts the control characters of a text. There are few, so whole blocks are skipped.
  private static func controlCount(_ text: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var index = 0
    while index < text.count {
      let end = index &+ 8
      if end <= text.count,
        !ByteBlock.hasControl(text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      {
        index = end
        continue
      }
      while index < min(end, text.count) {
        if text[index] < 0x20 { count &+= 1 }
        index &+= 1
      }
    }
    return count
  }

  private static func isText(_ tag: UInt8) -> Bool {
    tag == ValueTag.string || tag == ValueTag.shortString
  }

  private static func isPlaceOfItem(_ name: UnsafeRawBufferPointer) -> Bool {
    switch name.count {
    case 2: name.elementsEqual("id".utf8)
    case 3: name.elementsEqual("url".utf8)
    case 5: name.elementsEqual("title".utf8)
    case 6: name.elementsEqual("author".utf8)
    case 7:
      name.elementsEqual("summary".utf8) || name.elementsEqual("content".utf8)
        || name.elementsEqual("updated".utf8)
    case 9: name.elementsEqual("published".utf8)
    default: false
    }
  }
}
