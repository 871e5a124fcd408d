package import FetchValues

/// The arguments of one call, read in order. Error messages have the form of Lua's messages: `bad
/// argument #1 to 'json.decode' (string expected, got nil)`.
package struct LibraryArguments {
  private var reader: ValueReader
  private var left: Int
  private var position = 0
  private let function: String

  package init(_ encoded: UnsafeRawBufferPointer, function: String) throws(LibraryError) {
    reader = ValueReader(encoded)
    self.function = function
    do { left = try reader.readArrayHead() } catch { throw .misuse("\(function): \(error)") }
  }

  /// The name of the function in messages, without the underscore of internal functions. For
  /// example, plugins call `html.parse`, which calls the internal `html._parse`.
  private var shownFunction: String { function.replacing("._", with: ".") }

  private func bad(_ error: ValueError) -> LibraryError {
    let detail =
      if case .unexpected(let found, let wanted) = error {
        "\(wanted) expected, got \(found)"
      } else {
        "\(error)"
      }
    return .misuse("bad argument #\(position) to '\(shownFunction)' (\(detail))")
  }

  private mutating func advance() -> Bool {
    position += 1
    guard left > 0 else { return false }
    left -= 1
    return true
  }

  private mutating func required<T>(
    _ kind: String, _ read: (inout ValueReader) throws(ValueError) -> T
  ) throws(LibraryError) -> T {
    guard advance() else { throw bad(.unexpected("no value", wanted: kind)) }
    do { return try read(&reader) } catch { throw bad(error) }
  }

  private mutating func optional<T>(
    _ read: (inout ValueReader) throws(ValueError) -> T
  ) throws(LibraryError) -> T? {
    guard advance() else { return nil }
    do {
      if try reader.peekTag() == ValueTag.null {
        try reader.skipValue()
        return nil
      }
      return try read(&reader)
    } catch { throw bad(error) }
  }

  /// Returns the bytes of a string, which are valid only until the library function returns.
  package mutating func bytes() throws(LibraryError) -> UnsafeRawBufferPointer {
    try required("string") { reader throws(ValueError) in try reader.readStringBytes() }
  }

  /// Returns a string that must be UTF-8.
  package mutating func string() throws(LibraryError) -> String {
    try required("string") { reader throws(ValueError) in try reader.readString() }
  }

  package mutating func optionalString() throws(LibraryError) -> String? {
    try optional { reader throws(ValueError) in try reader.readString() }
  }

  package mutating func integer() throws(LibraryError) -> Int64 {
    try required("integer") { reader throws(ValueError) in try reader.readInteger() }
  }

  package mutating func optionalInteger() throws(LibraryError) -> Int64? {
    try optional { reader throws(ValueError) in try reader.readInteger() }
  }

  package mutating func optionalBool() throws(LibraryError) -> Bool? {
    try optional { reader throws(ValueError) in try reader.readBool() }
  }

  /// Returns any value as a tree; `null` for nil or a missing argument.
  package mutating func value() throws(LibraryError) -> Value {
    try optional { reader throws(ValueError) in try reader.readValue() } ?? .null
  }

  /// Calls `body` with the reader at the next argument, so that `body` can read a large value
  /// itself.
  package mutating func withReader<T>(
    _ body: (inout ValueReader) throws(LibraryError) -> T
  ) throws(LibraryError) -> T {
    guard advance() else { throw bad(.unexpected("no value", wanted: "value")) }
    return try body(&reader)
  }
}

/// The options table that many library functions take as their last argument. An unknown option is
/// an error, so that a misspelt option is not ignored.
package struct LibraryOptions {
  private let values: ValueObject
  private let function: String

  package init(
    _ value: Value, function: String, known: [String]
  ) throws(LibraryError) {
    self.function = function
    if value.isNull {
      values = ValueObject()
      return
    }
    guard let object = value.objectValue else {
      throw .misuse("bad options for '\(function)' (table expected, got \(value.kindName))")
    }
    for key in object.keys where !known.contains(key) {
      let names = known.joined(separator: ", ")
      throw .misuse("unknown option '\(key)' for '\(function)' (the options are \(names))")
    }
    values = object
  }

  package subscript(name: String) -> Value? { values[name].flatMap { $0.isNull ? nil : $0 } }

  package func bool(_ name: String) throws(LibraryError) -> Bool {
    guard let value = self[name] else { return false }
    guard let flag = value.boolValue else { throw bad(name, "boolean", value) }
    return flag
  }

  package func string(_ name: String) throws(LibraryError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.stringValue else { throw bad(name, "string", value) }
    return text
  }

  package func integer(_ name: String) throws(LibraryError) -> Int64? {
    guard let value = self[name] else { return nil }
    guard let number = value.integerValue else { throw bad(name, "integer", value) }
    return number
  }

  package func bad(_ name: String, _ wanted: String, _ value: Value) -> LibraryError {
    .misuse("bad option '\(name)' for '\(function)' (\(wanted) expected, got \(value.kindName))")
  }
}

/// The text form of doubles for URL queries and CSV. Whole numbers in the range of `Int64` have no
/// fraction. Other numbers have the fewest digits that identify them.
enum LuaNumber {
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return "\(number)"
  }
}
