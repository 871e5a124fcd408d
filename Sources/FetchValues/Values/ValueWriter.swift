/// A writer of encoded values (`ValueTag` describes the encoding) to a growing buffer.
///
/// The caller writes a container in two steps: first the head, with a call such as
/// `beginObject(count:)`, then exactly `count` keys and values.
package struct ValueWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}
  package init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func writeNull() { bytes.append(ValueTag.null) }
  package mutating func write(_ value: Bool) {
    bytes.append(value ? ValueTag.true : ValueTag.false)
  }

  package mutating func write(_ value: Int64) {
    if let small = Int8(exactly: value) {
      bytes.append(ValueTag.smallInteger)
      bytes.append(UInt8(bitPattern: small))
    } else {
      bytes.append(ValueTag.integer)
      appendFixed(value)
    }
  }

  package mutating func write(_ value: Int) { write(Int64(value)) }

  package mutating func write(_ value: Double) {
    bytes.append(ValueTag.number)
    appendFixed(value.bitPattern)
  }

  package mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { write(bytes: UnsafeRawBufferPointer($0)) }
  }

  package mutating func write(_ text: StaticString) {
    write(bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func writeOptional(_ text: String?) {
    if let text { write(text) } else { writeNull() }
  }

  package mutating func writeOptional(_ number: Int64?) {
    if let number { write(number) } else { writeNull() }
  }

  package mutating func writeOptional(_ number: Double?) {
    if let number { write(number) } else { writeNull() }
  }

  /// Writes a string of any bytes. The string must be shorter than 4 GiB.
  package mutating func write(bytes content: UnsafeRawBufferPointer) {
    if content.count < 256 {
      bytes.append(ValueTag.shortString)
      bytes.append(UInt8(content.count))
    } else {
      bytes.append(ValueTag.string)
      appendFixed(UInt32(content.count))
    }
    bytes.append(contentsOf: content)
  }

  package mutating func write(bytes content: [UInt8]) {
    content.withUnsafeBytes { write(bytes: $0) }
  }

  package mutating func beginArray(count: Int) {
    bytes.append(ValueTag.array)
    appendFixed(UInt32(count))
  }

  package mutating func beginObject(count: Int) {
    bytes.append(ValueTag.object)
    appendFixed(UInt32(count))
  }

  /// Begins a list whose count is not known yet. The caller must pass the result to `endArray` or
  /// `removeLast` later. Lists may be nested.
  package mutating func beginArray() -> Int {
    beginArray(count: 0)
    return bytes.count
  }

  /// Sets the count of the list that `beginArray()` began.
  package mutating func endArray(_ start: Int, count: Int) { setCount(count, endingAt: start) }

  /// Begins an object whose count is not known yet. The caller must pass the result to `endObject`
  /// or `removeLast` later.
  package mutating func beginObject() -> Int {
    beginObject(count: 0)
    return bytes.count
  }

  package mutating func endObject(_ start: Int, count: Int) { setCount(count, endingAt: start) }

  /// Removes a list or object that `beginArray()` or `beginObject()` began, and everything written
  /// after its beginning.
  package mutating func removeLast(from start: Int) {
    bytes.removeSubrange((start - Self.headBytes)...)
  }

  /// The size of the tag and the count of a list or object, in bytes.
  private static let headBytes = 5

  private mutating func setCount(_ count: Int, endingAt end: Int) {
    withUnsafeBytes(of: UInt32(count).littleEndian) { fixed in
      for (index, byte) in fixed.enumerated() { bytes[end - fixed.count + index] = byte }
    }
  }

  package mutating func write(_ value: Value) {
    switch value {
    case .null: writeNull()
    case .bool(let flag): write(flag)
    case .integer(let number): write(number)
    case .number(let number): write(number)
    case .string(let text): write(text)
    case .bytes(let content): write(bytes: content)
    case .array(let elements):
      beginArray(count: elements.count)
      for element in elements { write(element) }
    case .object(let object):
      beginObject(count: object.count)
      for member in object.members {
        write(member.key)
        write(member.value)
      }
    }
  }

  /// Appends values that are already encoded.
  package mutating func append(encoded: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: encoded)
  }

  private mutating func appendFixed<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
