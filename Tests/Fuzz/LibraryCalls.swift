import FetchSandbox
import FetchValues

/// Calls of library functions in the form that a worker uses.
enum LibraryCalls {
  static func call(_ name: String, _ arguments: [Value]) {
    guard let function = LibraryRegistry.all.first(where: { $0.name == name }) else {
      fatalError("there is no \(name)")
    }
    var encoded = ValueWriter()
    encoded.write(.array(arguments))
    encoded.bytes.withUnsafeBytes { call(function, $0) }
  }

  /// Calls the function. If the function returns results, their number must equal the reported
  /// number (one for `nullAlone`), and all results must be readable.
  static func call(_ function: LibraryFunction, _ encoded: UnsafeRawBufferPointer) {
    var output = ValueWriter()
    guard var arguments = try? LibraryArguments(encoded, function: function.name),
      let count = try? function.body(&arguments, LibraryContext(), &output)
    else { return }
    output.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes, depthMax: JSONReader.depthMaxDefault)
      for _ in 0..<(count == LibraryFunction.nullAlone ? 1 : count) {
        guard (try? reader.skipValue()) != nil else {
          fatalError("the results of \(function.name) cannot be read")
        }
      }
      guard reader.isAtEnd else { fatalError("\(function.name) left more than its results") }
    }
  }
}
