/// A strict parser from JSON text (RFC 8259) to encoded values, in one pass and without recursion.
///
/// The parser skips a byte order mark, as section 8.1 allows. Numbers that are written without a
/// fraction or an exponent and fit into `Int64` become integers. All other numbers, and `-0`,
/// become the nearest double, and numbers beyond the range of doubles are an error. An unpaired
/// surrogate becomes U+FFFD, because a title that was cut off should not make a whole answer
/// invalid. Bytes that are not UTF-8 are an error. If a name occurs twice in an object, a `Value`
/// contains only the last member. The encoded form contains both members in order, which has the
/// same effect in a Lua table.
package enum JSONReader {
  /// The maximum depth of nested lists and objects. The limit protects against hostile texts.
  package static let depthMaxDefault = 256
  /// The maximum length of a text, in bytes. It is well below the limit of the 32-bit counts and
  /// lengths in encoded values.
  package static let textBytesMax = 1 << 30

  /// Appends the encoded value of a JSON text. If the text is invalid, nothing is appended.
  package static func decode(
    _ text: UnsafeRawBufferPointer, depthMax: Int = depthMaxDefault, into writer: inout ValueWriter
  ) throws(JSONError) {
    guard text.count <= textBytesMax else {
      throw JSONError(problem: "the text is longer than \(textBytesMax) bytes", place: nil)
    }
    var scanner = JSONScanner(text, depthMax: depthMax)
    do {
      try scanner.run()
    } catch {
      let place = JSONError.Place(offset: error.offset, in: text)
      throw JSONError(problem: error.problem.description, place: place)
    }
    writer.append(encoded: scanner.encoded)
  }

  package static func decode(
    _ text: UnsafeRawBufferPointer, depthMax: Int = depthMaxDefault
  ) throws(JSONError) -> Value {
    var writer = ValueWriter(reserving: text.count)
    try decode(text, depthMax: depthMax, into: &writer)
    do {
      return try writer.bytes.withUnsafeBufferPointer { bytes throws(ValueError) in
        var reader = ValueReader(UnsafeRawBufferPointer(bytes), depthMax: depthMax)
        return try reader.readValue().withLastOfEachKey
      }
    } catch { throw JSONError(problem: "\(error)", place: nil) }
  }

  package static func decode(
    _ text: [UInt8], depthMax: Int = depthMaxDefault
  ) throws(JSONError) -> Value {
    try text.withUnsafeBufferPointer { bytes throws(JSONError) in
      try decode(UnsafeRawBufferPointer(bytes), depthMax: depthMax)
    }
  }

  package static func decode(
    _ text: String, depthMax: Int = depthMaxDefault
  ) throws(JSONError) -> Value {
    try decode(Array(text.utf8), depthMax: depthMax)
  }
}

extension Value {
  /// This value without duplicate keys. If several members of an object have the same key, only the
  /// last of them remains, at its place.
  fileprivate var withLastOfEachKey: Value {
    switch self {
    case .array(let elements): .array(elements.map(\.withLastOfEachKey))
    case .object(let object): .object(object.withLastOfEachKey)
    default: self
    }
  }
}

extension ValueObject {
  fileprivate var withLastOfEachKey: ValueObject {
    var seen = Set<[UInt8]>(minimumCapacity: count)
    var kept: [(String, Value)] = []
    for member in members.reversed() where seen.insert(Array(member.key.utf8)).inserted {
      kept.append((member.key, member.value.withLastOfEachKey))
    }
    return ValueObject(kept.reversed())
  }
}

/// The reason why a text cannot be read as JSON, with the place of a mistake in the text. It can
/// also be the reason why a value cannot be written as JSON.
package struct JSONError: Error, Equatable {
  /// A place in the text. The line and the column are counted from 1. The column counts Unicode
  /// scalars.
  package struct Place: Equatable, Sendable {
    package var offset: Int
    package var line: Int
    package var column: Int
  }

  package var problem: String
  /// The place of the mistake in the text; nil if the error has no such place.
  package var place: Place?
}

extension JSONError {
  init(unwritable reason: String) {
    self.init(problem: "the value cannot be written as JSON: \(reason)", place: nil)
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    guard let place else { return problem }
    return "invalid JSON at line \(place.line) column \(place.column): \(problem)"
  }
}

extension JSONError.Place {
  /// Finds the line and column of the byte at `offset` in `text`. Lines end at LF. Continuation
  /// bytes of UTF-8 do not count as columns.
  init(offset: Int, in text: UnsafeRawBufferPointer) {
    var line = 1
    var column = 1
    for byte in text.prefix(max(0, offset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(offset: offset, line: line, column: column)
  }
}
