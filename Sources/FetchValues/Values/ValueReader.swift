/// A reader of encoded values from unchecked bytes. It compares every length with the remaining
/// bytes, and every depth with `depthMax`. Invalid bytes cause a thrown error and never a trap.
///
/// The reader is a cursor over borrowed memory, and is valid only as long as this memory.
package struct ValueReader {
  private let bytes: UnsafeRawBufferPointer
  package private(set) var offset = 0
  private let depthMax: Int
  /// Whether `readValue` sorts the members of objects by key. A Lua table has no order, so sorting
  /// is needed to show a table in the same order each time.
  package var sortsKeys = false

  /// The maximum depth of nested lists and tables, unless the caller sets another maximum.
  package static let depthMaxDefault = 128

  package init(_ bytes: UnsafeRawBufferPointer, depthMax: Int = Self.depthMaxDefault) {
    self.bytes = bytes
    self.depthMax = depthMax
  }

  /// Calls `body` with a reader at the beginning of the bytes and returns its result.
  package static func read<T>(
    _ bytes: [UInt8], _ body: (inout ValueReader) throws(ValueError) -> T
  ) throws(ValueError) -> T {
    try bytes.withUnsafeBufferPointer { buffer throws(ValueError) in
      var reader = ValueReader(UnsafeRawBufferPointer(buffer))
      return try body(&reader)
    }
  }

  package var remaining: Int { bytes.count - offset }
  /// The bytes that have not been read yet.
  package var unread: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[offset...])
  }
  package var isAtEnd: Bool { offset == bytes.count }

  /// Returns the tag of the next value without consuming it.
  package func peekTag() throws(ValueError) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    return bytes[offset]
  }

  @inline(__always)
  package mutating func readByte() throws(ValueError) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func readFixed<T: FixedWidthInteger>(_: T.Type) throws(ValueError) -> T {
    guard remaining >= MemoryLayout<T>.size else { throw .truncated }
    defer { offset += MemoryLayout<T>.size }
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Reads the number of elements in a container. Each element needs at least `elementBytes` bytes.
  /// If too few bytes are left for the count, throws an error, so that the caller does not reserve
  /// memory for a false count.
  private mutating func readCount(elementBytes: Int) throws(ValueError) -> Int {
    let count = Int(try readFixed(UInt32.self))
    guard count <= remaining / elementBytes else { throw .truncated }
    return count
  }

  /// Reads the head of an array and returns the number of values that follow. An empty object
  /// counts as an empty array.
  package mutating func readArrayHead() throws(ValueError) -> Int {
    switch try readByte() {
    case ValueTag.array: return try readCount(elementBytes: 1)
    case ValueTag.object:
      guard try readFixed(UInt32.self) == 0 else { throw .unexpected("table", wanted: "list") }
      return 0
    case let tag: throw .unexpected(Self.name(of: tag), wanted: "list")
    }
  }

  /// Reads the head of an object and returns the number of pairs of key and value that follow. An
  /// empty array counts as an empty object.
  package mutating func readObjectHead() throws(ValueError) -> Int {
    switch try readByte() {
    case ValueTag.object: return try readCount(elementBytes: 3)
    case ValueTag.array:
      guard try readFixed(UInt32.self) == 0 else { throw .unexpected("list", wanted: "table") }
      return 0
    case let tag: throw .unexpected(Self.name(of: tag), wanted: "table")
    }
  }

  /// Reads the bytes of a string. The result points into the reader's buffer.
  package mutating func readStringBytes() throws(ValueError) -> UnsafeRawBufferPointer {
    let count: Int
    switch try readByte() {
    case ValueTag.string: count = Int(try readFixed(UInt32.self))
    case ValueTag.shortString: count = Int(try readByte())
    case let tag: throw .unexpected(Self.name(of: tag), wanted: "string")
    }
    guard count <= remaining else { throw .truncated }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Reads a string; throws an error if it is not UTF-8.
  package mutating func readString() throws(ValueError) -> String {
    guard let text = UTF8Check.text(try readStringBytes()) else { throw .invalidUTF8 }
    return text
  }

  /// Reads a string; nil for an encoded null.
  package mutating func readOptionalString() throws(ValueError) -> String? {
    try readNull() ? nil : try readString()
  }

  /// Reads the next value if it is null. Returns whether it was null.
  package mutating func readNull() throws(ValueError) -> Bool {
    guard try peekTag() == ValueTag.null else { return false }
    offset += 1
    return true
  }

  package mutating func readInteger() throws(ValueError) -> Int64 {
    switch try readByte() {
    case ValueTag.smallInteger: return Int64(Int8(bitPattern: try readByte()))
    case ValueTag.integer: return try readFixed(Int64.self)
    case ValueTag.number:
      guard let whole = Int64(exactly: Double(bitPattern: try readFixed(UInt64.self))) else {
        throw .unexpected("number", wanted: "integer")
      }
      return whole
    case let tag: throw .unexpected(Self.name(of: tag), wanted: "integer")
    }
  }

  /// Reads a whole number; nil for an encoded null.
  package mutating func readOptionalInteger() throws(ValueError) -> Int64? {
    try readNull() ? nil : try readInteger()
  }

  package mutating func readNumber() throws(ValueError) -> Double {
    if try peekTag() == ValueTag.number {
      offset += 1
      return Double(bitPattern: try readFixed(UInt64.self))
    }
    return Double(try readInteger())
  }

  package mutating func readBool() throws(ValueError) -> Bool {
    switch try readByte() {
    case ValueTag.true: return true
    case ValueTag.false: return false
    case let tag: throw .unexpected(Self.name(of: tag), wanted: "boolean")
    }
  }

  /// Reads the next value, of any kind, as a `Value`.
  package mutating func readValue() throws(ValueError) -> Value { try readValue(depth: 0) }

  private mutating func readValue(depth: Int) throws(ValueError) -> Value {
    guard depth <= depthMax else { throw .tooDeep(depthMax) }
    switch try peekTag() {
    case ValueTag.null:
      offset += 1
      return .null
    case ValueTag.false, ValueTag.true: return .bool(try readBool())
    case ValueTag.integer, ValueTag.smallInteger: return .integer(try readInteger())
    case ValueTag.number: return .number(try readNumber())
    case ValueTag.string, ValueTag.shortString: return Self.text(try readStringBytes())
    case ValueTag.array: return try readArray(depth: depth)
    case ValueTag.object: return try readObject(depth: depth)
    case let tag: throw .unknownTag(tag)
    }
  }

  private mutating func readArray(depth: Int) throws(ValueError) -> Value {
    let count = try readArrayHead()
    var elements: [Value] = []
    elements.reserveCapacity(min(count, 1024))
    for _ in 0..<count { elements.append(try readValue(depth: depth + 1)) }
    return .array(elements)
  }

  private mutating func readObject(depth: Int) throws(ValueError) -> Value {
    let count = try readObjectHead()
    var object = ValueObject()
    for _ in 0..<count {
      let key = try readString()
      object.append(key, try readValue(depth: depth + 1))
    }
    if sortsKeys { object.sortByKey() }
    return .object(object)
  }

  /// Skips the next value without creating a `Value`.
  package mutating func skipValue() throws(ValueError) { try skipValue(depth: 0) }

  private mutating func skipValue(depth: Int) throws(ValueError) {
    guard depth <= depthMax else { throw .tooDeep(depthMax) }
    switch try peekTag() {
    case ValueTag.array:
      for _ in 0..<(try readArrayHead()) { try skipValue(depth: depth + 1) }
    case ValueTag.object:
      for _ in 0..<(try readObjectHead()) {
        _ = try readStringBytes()
        try skipValue(depth: depth + 1)
      }
    case ValueTag.null, ValueTag.false, ValueTag.true: offset += 1
    case ValueTag.integer, ValueTag.smallInteger: _ = try readInteger()
    case ValueTag.number: _ = try readNumber()
    case ValueTag.string, ValueTag.shortString: _ = try readStringBytes()
    case let tag: throw .unknownTag(tag)
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> Value {
    UTF8Check.text(bytes).map(Value.string) ?? .bytes(Array(bytes))
  }

  private static func name(of tag: UInt8) -> String {
    switch tag {
    case ValueTag.null: "nil"
    case ValueTag.true, ValueTag.false: "boolean"
    case ValueTag.integer, ValueTag.smallInteger: "integer"
    case ValueTag.number: "number"
    case ValueTag.string, ValueTag.shortString: "string"
    case ValueTag.array: "list"
    case ValueTag.object: "table"
    default: "unknown value"
    }
  }
}

/// The functions that read numbers within bounds, lists of a known length, and versioned lists of
/// fields. Values outside the bounds are errors, because no encoder of this program writes such
/// values.
extension ValueReader {
  /// Reads a number in a range.
  package mutating func readNumber(in range: ClosedRange<Double>) throws(ValueError) -> Double {
    let number = try readNumber()
    guard range.contains(number) else {
      throw .unexpected("another number", wanted: "number in the valid range")
    }
    return number
  }

  /// Reads a list of exactly `count` numbers in a range.
  package mutating func readNumbers(
    count: Int, in range: ClosedRange<Double>
  ) throws(ValueError) -> [Double] {
    guard try readArrayHead() == count else {
      throw .unexpected("a list of another length", wanted: "list of \(count)")
    }
    var numbers: [Double] = []
    for _ in 0..<count { numbers.append(try readNumber(in: range)) }
    return numbers
  }

  /// Reads an integer in a range.
  package mutating func readInteger(in range: ClosedRange<Int64>) throws(ValueError) -> Int {
    let number = try readInteger()
    guard range.contains(number) else {
      throw .unexpected("another integer", wanted: "integer in the valid range")
    }
    return Int(number)
  }

  /// Reads the head and the version of a list of fields. The version is the first of the `count`
  /// fields. Throws an error for any other number of fields or any other version.
  package mutating func readFields(count: Int, version: Int64) throws(ValueError) {
    guard try readArrayHead() == count, try readInteger() == version else {
      throw .unexpected("another form", wanted: "version \(version)")
    }
  }
}

extension ValueWriter {
  /// Writes a list of numbers.
  package mutating func write(numbers: [Double]) {
    beginArray(count: numbers.count)
    for number in numbers { write(number) }
  }
}

/// The first byte of an encoded value. Host and worker exchange encoded values. The store keeps
/// encoded values, too, so the tags must not change: see `StoredCoding`.
///
/// All numbers are little-endian. A `string` is a u32 length and the bytes; a `shortString` has a
/// u8 length. An `array` is a u32 count and the values. An `object` is a u32 count and the members,
/// each a string (either form) and a value. Strings are bytes and need not be UTF-8. Lua reads a
/// `null` inside an array or object as JSON's null (`json.null`), and a `null` that is the whole
/// value as `nil`.
package enum ValueTag {
  package static let null: UInt8 = 0
  package static let `false`: UInt8 = 1
  package static let `true`: UInt8 = 2
  package static let integer: UInt8 = 3
  package static let number: UInt8 = 4
  package static let string: UInt8 = 5
  package static let array: UInt8 = 6
  package static let object: UInt8 = 7
  package static let shortString: UInt8 = 8
  /// The tag of an integer that is stored in one byte.
  package static let smallInteger: UInt8 = 9
}
