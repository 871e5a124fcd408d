import FetchSandbox
import FetchValues
import Testing

/// Calls a library function as Lua does, with encoded values, and decodes its results.
func call(_ name: String, _ arguments: Value...) throws -> Value {
  let function = try #require(LibraryRegistry.all.first { $0.name == name })
  var input = ValueWriter()
  input.write(.array(arguments))
  return try input.bytes.withUnsafeBytes { bytes in
    var arguments = try LibraryArguments(bytes, function: name)
    var output = ValueWriter()
    let count = try function.body(&arguments, LibraryContext(), &output)
    #expect(count == 1 || count == LibraryFunction.nullAlone)
    return try output.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      let value = try reader.readValue()
      #expect(reader.isAtEnd)
      return value
    }
  }
}

/// Returns the error of a call that is refused or misused.
func failure(_ name: String, _ arguments: Value...) throws -> LibraryError? {
  let function = try #require(LibraryRegistry.all.first { $0.name == name })
  var input = ValueWriter()
  input.write(.array(arguments))
  return input.bytes.withUnsafeBytes { bytes -> LibraryError? in
    do {
      var arguments = try LibraryArguments(bytes, function: name)
      var output = ValueWriter()
      _ = try function.body(&arguments, LibraryContext(), &output)
      return nil
    } catch { return error as? LibraryError }
  }
}
