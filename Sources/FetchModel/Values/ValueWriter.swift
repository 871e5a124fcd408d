/// Writes encoded values (`ValueTag` describes the form) to a growing buffer.
///
/// Containers are written head first: `beginObject(count:)`, then exactly that many keys and values.
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

  /// A string of any bytes; longer than 4 GiB is a programming error.
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

  /// Appends values that are encoded already.
  package mutating func append(encoded: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: encoded)
  }

  private mutating func appendFixed<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
