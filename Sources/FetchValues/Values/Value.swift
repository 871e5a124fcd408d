/// A value that is passed between Lua, the host, JSON and the store.
///
/// It has JSON's kinds of values, with two additions for Lua. Integers keep all 64 bits. A string
/// that is not UTF-8, for example a binary response body, is `bytes` and never a repaired `String`.
/// Strings and keys are compared by their UTF-8 bytes. Ids that differ only in their Unicode
/// normalisation therefore stay different.
package indirect enum Value: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case bytes([UInt8])
  case array([Value])
  case object(ValueObject)
}

extension Value: Equatable {
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral,
  ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: Value...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }
  package init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(ValueObject(elements))
  }
}

extension Value {
  /// The text of a string; nil for every other kind of value, including `bytes`.
  package var stringValue: String? { if case .string(let text) = self { text } else { nil } }

  /// The value as an integer, also for a float that equals a 64-bit integer; nil for every other
  /// value.
  package var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The value as a double, for an integer or a float; nil for every other kind.
  package var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements of an array; nil for other values. An empty object also counts as an empty array,
  /// because Lua cannot distinguish `{}` from an empty list.
  package var arrayValue: [Value]? {
    switch self {
    case .array(let elements): elements
    case .object(let object) where object.isEmpty: []
    default: nil
    }
  }

  /// The members of an object; nil for other values. An empty array also counts as an empty object
  /// (see `arrayValue`).
  package var objectValue: ValueObject? {
    switch self {
    case .object(let object): object
    case .array(let elements) where elements.isEmpty: ValueObject()
    default: nil
    }
  }

  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The member with the given name; nil if the value is not an object or has no such member.
  package subscript(key: String) -> Value? { objectValue?[key] }

  /// The name of the value's kind in messages to plugin authors, in the terms of Lua and JSON.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .bytes: "binary string"
    case .array: "list"
    case .object: "table"
    }
  }
}

extension Value {
  /// Decodes a value from bytes that contain exactly one encoded value.
  package init(encoded bytes: [UInt8]) throws(ValueError) {
    self = try ValueReader.read(bytes) { reader throws(ValueError) in
      let value = try reader.readValue()
      guard reader.isAtEnd else { throw .unexpected("more bytes", wanted: "one value") }
      return value
    }
  }

  /// The encoded form of the value: see `ValueTag`.
  package var encoded: [UInt8] {
    var writer = ValueWriter()
    writer.write(self)
    return writer.bytes
  }
}

/// The reason why an encoded value cannot be read.
package enum ValueError: Error, Equatable {
  case truncated
  case unknownTag(UInt8)
  case tooDeep(Int)
  case invalidUTF8
  case unexpected(String, wanted: String)
}

extension ValueError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated: "the value ends too early"
    case .unknownTag(let tag): "the value has an unknown kind (\(tag))"
    case .tooDeep(let depthMax): "the value is nested deeper than \(depthMax) levels"
    case .invalidUTF8: "a string is not valid UTF-8"
    case .unexpected(let found, let wanted): "\(wanted) expected, got \(found)"
    }
  }
}
