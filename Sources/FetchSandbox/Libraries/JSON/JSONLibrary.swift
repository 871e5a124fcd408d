import FetchValues

/// The pure functions of `require "json"`. The module's Lua code adds `json.null` and `json.array`.
package enum JSONLibrary {
  package static let functions: [LibraryFunction] = [decode, encode]

  /// The maximum nesting of values. This limit is lower than the limit in CLua/decode.c, so that a
  /// plugin receives the error of `json.decode`, with line and column.
  private static let depthMax = 120

  /// `json.decode(text) -> value`, or `nil, "invalid JSON at line 3 column 7: ..."`.
  private static let decode = LibraryFunction("json.decode") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    do {
      try JSONReader.decode(text, depthMax: depthMax, into: &writer)
    } catch { throw .refused("\(error)") }
    return writer.bytes == [ValueTag.null] ? LibraryFunction.nullAlone : 1
  }

  /// `json.encode(value [, {pretty = true, sort = true}]) -> text`: returns the value as JSON.
  private static let encode = LibraryFunction("json.encode") {
    arguments, _, writer throws(LibraryError) in
    // The value precedes its options, so the value is read twice. The first time, it is only
    // skipped.
    var ahead = arguments
    try ahead.withReader { reader throws(LibraryError) in
      do { try reader.skipValue() } catch { throw .misuse("json.encode: \(error)") }
    }
    let options = try LibraryOptions(
      ahead.value(), function: "json.encode", known: ["pretty", "sort"])
    var json = JSONWriter(
      options: .init(isPretty: try options.bool("pretty"), sortsKeys: try options.bool("sort")))
    try arguments.withReader { reader throws(LibraryError) in
      do { try json.write(from: &reader) } catch { throw .misuse("json.encode: \(error)") }
    }
    writer.write(bytes: json.bytes)
    return 1
  }
}
