/// JSON text (RFC 8259, strict) to encoded values, in one pass and without recursion.
///
/// A byte order mark before the text is passed over (section 8.1 allows it). Whole numbers that
/// fit are 64-bit integers; all others, and `-0`, are the nearest double; beyond its range is an
/// error. A surrogate without its other half becomes U+FFFD, since a cut title should not cost a
/// whole answer; bytes that are not UTF-8 are an error, since then the text is not JSON. Of a name
/// that occurs twice in an object the last one counts: as a `Value` it is the only one left, in
/// the encoded form both are there in order, which comes to the same in a Lua table.
package enum JSONReader {
  /// Lists and objects inside each other; nobody's data needs more, a hostile text may.
  package static let depthMaxDefault = 256
  /// Counts and lengths of encoded values are 32 bits wide; well below that.
  package static let textBytesMax = 1 << 30

  /// Appends the encoded value of the text; on an error nothing is appended.
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
  /// The same value where of members with one key only the last is left, at its own place.
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
