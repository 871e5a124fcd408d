package import FetchValues

/// The arguments of one call, read in order. Messages have the form of Lua's own: `bad argument #1
/// to 'json.decode' (string expected, got nil)`.
package struct LibraryArguments {
  private var reader: ValueReader
  private var left: Int
  private var position = 0
  private let function: String

  package init(_ encoded: UnsafeRawBufferPointer, function: String) throws(LibraryError) {
    reader = ValueReader(encoded)
    // Plugins call `html.parse`, which calls the internal `html._parse`.
    self.function = function.contains("._") ? function.replacing("._", with: ".") : function
    do { left = try reader.readArrayHead() } catch { throw .misuse("\(function): \(error)") }
  }

  private func bad(_ error: ValueError) -> LibraryError {
    let detail =
      if case .unexpected(let found, let wanted) = error {
        "\(wanted) expected, got \(found)"
      } else {
        "\(error)"
      }
    return .misuse("bad argument #\(position) to '\(function)' (\(detail))")
  }

  /// Advances to the next argument; returns false if this argument is missing.
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

  /// Returns a string's bytes, borrowed until the call returns.
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

  /// Passes the reader, at the next argument, to `body`, which reads a large value itself.
  package mutating func withReader<T>(
    _ body: (inout ValueReader) throws(LibraryError) -> T
  ) throws(LibraryError) -> T {
    guard advance() else { throw bad(.unexpected("no value", wanted: "value")) }
    return try body(&reader)
  }
}
