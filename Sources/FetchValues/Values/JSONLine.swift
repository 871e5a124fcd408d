/// A writer for one compact JSON object on one line.
package struct JSONLine {
  private var writer = JSONWriter()
  private var isFirst = true

  /// Begins a line. `bytes` is the approximate length of the line.
  package init(reserving bytes: Int = 0) {
    if bytes > 0 { writer.reserve(bytes) }
    writer.append(UInt8(ascii: "{"))
  }

  private mutating func key(_ name: String) {
    if !isFirst { writer.append(UInt8(ascii: ",")) }
    isFirst = false
    writer.write(string: name)
    writer.append(UInt8(ascii: ":"))
  }

  package mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { writer.write(string: text) } else { writer.append("null") }
  }

  package mutating func member<Kind>(_ name: String, _ other: Name<Kind>?) {
    member(name, other?.text)
  }

  package mutating func member(_ name: String, _ number: Int) { member(name, Int64(number)) }

  package mutating func member(_ name: String, _ number: Int64) {
    key(name)
    writer.write(integer: number)
  }

  /// Appends a member. U+FFFD replaces bytes that are not UTF-8. Null replaces a number that is not
  /// finite, and a value that is nested too deeply.
  package mutating func member(_ name: String, _ value: Value) {
    key(name)
    let count = writer.bytes.count
    do { try writer.write(value.isJSON ? value : value.jsonRepaired) } catch {
      writer.cut(to: count)
      writer.append("null")
    }
  }

  /// Appends a member whose value is `literal`, which must be JSON text.
  package mutating func member(_ name: String, literal: String) {
    key(name)
    writer.append(literal)
  }

  package consuming func closed() -> String { String(decoding: closedBytes(), as: UTF8.self) }

  /// Returns the line without its closing brace, so that the caller can append further members.
  package consuming func open() -> String { String(decoding: writer.bytes, as: UTF8.self) }

  package consuming func closedBytes() -> [UInt8] {
    writer.append(UInt8(ascii: "}"))
    return writer.bytes
  }
}

extension Value {
  fileprivate var isJSON: Bool {
    switch self {
    case .number(let number): number.isFinite
    case .bytes: false
    case .array(let elements): elements.allSatisfy(\.isJSON)
    case .object(let object): object.members.allSatisfy { $0.value.isJSON }
    default: true
    }
  }

  /// The value in a form that JSON can express. U+FFFD replaces bytes that are not UTF-8, and null
  /// replaces numbers that are not finite.
  fileprivate var jsonRepaired: Value {
    switch self {
    case .number(let number) where !number.isFinite: .null
    case .bytes(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .array(let elements): .array(elements.map(\.jsonRepaired))
    case .object(let object):
      .object(ValueObject(object.members.map { ($0.key, $0.value.jsonRepaired) }))
    default: self
    }
  }
}
