/// A strict parser from JSON text (RFC 8259) to encoded values, in one pass and without recursion.
///
/// It skips a byte order mark (section 8.1 allows it). Whole numbers that fit become 64-bit
/// integers; all others, and `-0`, become the nearest double, and values beyond its range are an
/// error. An unpaired surrogate becomes U+FFFD, because a cut title should not cost a whole answer.
/// Bytes that are not UTF-8 are an error, because such a text is not JSON. Of a repeated name in an
/// object the last one counts: a `Value` has only that one; the encoded form has both in order,
/// which is equivalent in a Lua table.
package enum JSONReader {
  /// The deepest nesting of lists and objects; only hostile texts need more.
  package static let depthMaxDefault = 256
  /// The longest text, well below the 32 bits of counts and lengths in encoded values.
  package static let textBytesMax = 1 << 30

  /// Appends the encoded value of the text; appends nothing on an error.
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
  /// The value with only the last of the members with one key, at its place.
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
