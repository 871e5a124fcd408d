/// A writer of JSON text (RFC 8259). The text is always valid UTF-8, and compact by default.
///
/// Integers are written exactly. Doubles are written with the fewest significant digits that give
/// the same double when read. Whole doubles are written with `.0` or an exponent, so that they stay
/// doubles. Only the quote, the backslash and characters below U+0020 are escaped. Strings that are
/// not UTF-8, numbers that are not finite, and values nested deeper than `depthMax` are errors.
package struct JSONWriter {
  package struct Options: Equatable, Sendable {
    /// Whether the text is indented by two spaces per level, with a space after `:`. There is no
    /// newline at the end.
    package var isPretty: Bool
    /// Whether the members of objects are sorted by the bytes of their names.
    package var sortsKeys: Bool

    package init(isPretty: Bool = false, sortsKeys: Bool = false) {
      self.isPretty = isPretty
      self.sortsKeys = sortsKeys
    }
  }

  /// The JSON text written so far.
  package private(set) var bytes: [UInt8] = []
  private let options: Options
  private let depthMax: Int
  private var depth = 0

  package init(options: Options = Options(), depthMax: Int = JSONReader.depthMaxDefault) {
    self.options = options
    self.depthMax = depthMax
  }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Drops everything after the first `count` bytes: a value outside any other value that could
  /// not be written.
  mutating func cut(to count: Int) {
    bytes.removeSubrange(count...)
    depth = 0
  }

  /// Returns the JSON text of a value.
  package static func text(
    _ value: Value, options: Options = Options()
  ) throws(JSONError) -> String {
    var writer = JSONWriter(options: options)
    try writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: Trees

  package mutating func write(_ value: Value) throws(JSONError) {
    switch value {
    case .null: write(literal: "null")
    case .bool(let flag): write(literal: flag ? "true" : "false")
    case .integer(let number): write(integer: number)
    case .number(let number): try write(number: number)
    case .string(let text): write(string: text)
    case .bytes(let content):
      try content.withUnsafeBufferPointer { bytes throws(JSONError) in
        try write(string: UnsafeRawBufferPointer(bytes))
      }
    case .array(let elements):
      try open("[")
      for (index, element) in elements.enumerated() {
        separate(isFirst: index == 0)
        try write(element)
      }
      close("]", isEmpty: elements.isEmpty)
    case .object(let object):
      try open("{")
      let members = (options.sortsKeys ? object.sortedByKey : object).members
      for (index, member) in members.enumerated() {
        separate(isFirst: index == 0)
        write(string: member.key)
        writeColon()
        try write(member.value)
      }
      close("}", isEmpty: members.isEmpty)
    }
  }

  // MARK: Encoded values

  /// Writes the next encoded value without creating a `Value`, unless the keys must be sorted.
  package mutating func write(from reader: inout ValueReader) throws(JSONError) {
    do {
      if options.sortsKeys {
        let value = try reader.readValue()
        try write(value)
      } else {
        try transcode(&reader)
      }
    } catch let error as ValueError {
      throw JSONError(unwritable: "\(error)")
    } catch let error as JSONError {
      throw error
    } catch {
      throw JSONError(unwritable: "\(error)")
    }
  }

  private mutating func transcode(_ reader: inout ValueReader) throws {
    switch try reader.peekTag() {
    case ValueTag.null:
      try reader.skipValue()
      write(literal: "null")
    case ValueTag.true, ValueTag.false: write(literal: try reader.readBool() ? "true" : "false")
    case ValueTag.integer, ValueTag.smallInteger: write(integer: try reader.readInteger())
    case ValueTag.number: try write(number: try reader.readNumber())
    case ValueTag.string, ValueTag.shortString: try write(string: try reader.readStringBytes())
    case ValueTag.array: try transcodeArray(&reader)
    case ValueTag.object: try transcodeObject(&reader)
    case let tag: throw ValueError.unknownTag(tag)
    }
  }

  private mutating func transcodeArray(_ reader: inout ValueReader) throws {
    let count = try reader.readArrayHead()
    try open("[")
    for index in 0..<count {
      separate(isFirst: index == 0)
      try transcode(&reader)
    }
    close("]", isEmpty: count == 0)
  }

  private mutating func transcodeObject(_ reader: inout ValueReader) throws {
    let count = try reader.readObjectHead()
    try open("{")
    for index in 0..<count {
      separate(isFirst: index == 0)
      try write(string: try reader.readStringBytes())
      writeColon()
      try transcode(&reader)
    }
    close("}", isEmpty: count == 0)
  }

  // MARK: Punctuation

  private mutating func open(_ bracket: StaticString) throws(JSONError) {
    guard depth < depthMax else {
      throw JSONError(unwritable: "the value is nested deeper than \(depthMax) levels")
    }
    depth += 1
    write(literal: bracket)
  }

  private mutating func close(_ bracket: StaticString, isEmpty: Bool) {
    depth -= 1
    if !isEmpty { breakLine() }
    write(literal: bracket)
  }

  private mutating func separate(isFirst: Bool) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    breakLine()
  }

  private mutating func writeColon() { write(literal: options.isPretty ? ": " : ":") }

  private mutating func breakLine() {
    guard options.isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { write(literal: "  ") }
  }

  // MARK: Bytes

  mutating func append(_ byte: UInt8) { bytes.append(byte) }
  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func append(_ slice: Slice<UnsafeRawBufferPointer>) {
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: slice))
  }

  private mutating func write(literal: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }
}

extension JSONWriter {
  mutating func write(integer: Int64) { append(integer.description) }

  mutating func write(number: Double) throws(JSONError) {
    guard number.isFinite else {
      throw JSONError(unwritable: number.isNaN ? "a number is NaN" : "a number is infinite")
    }
    // The description is read back as the same double, and always has a fraction or an exponent.
    append(number.description)
  }

  package mutating func write(string: String) {
    var string = string
    string.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
  }

  package mutating func write(string: UnsafeRawBufferPointer) throws(JSONError) {
    guard UTF8Check.firstInvalid(in: string) == nil else {
      throw JSONError(unwritable: "a string is not valid UTF-8")
    }
    appendQuoted(string)
  }

  private mutating func appendQuoted(_ content: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    var plainStart = 0
    var index = 0
    while index < content.count {
      if index &+ 8 <= content.count {
        let special = Self.special(ByteBlock.load(content, at: index))
        guard special != 0 else {
          index &+= 8
          continue
        }
        index &+= ByteBlock.index(special)
      }
      let byte = content[index]
      index &+= 1
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
      append(content[plainStart..<index &- 1])
      plainStart = index
      appendEscape(byte)
    }
    append(content[plainStart...])
    append(UInt8(ascii: "\""))
  }

  /// Returns a mask of the bytes that need an escape: see `ByteBlock.first`.
  private static func special(_ block: UInt64) -> UInt64 {
    ByteBlock.controls(block) | ByteBlock.first(UInt8(ascii: "\""), block)
      | ByteBlock.first(UInt8(ascii: "\\"), block)
  }

  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    default:
      append("u00")
      append(Self.hexDigits[Int(byte >> 4)])
      append(Self.hexDigits[Int(byte & 15)])
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
