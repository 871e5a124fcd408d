import FetchValues

/// What `require "csv"` offers as pure functions.
package enum CSVLibrary {
  package static let functions: [LibraryFunction] = [decode, encode]

  /// `csv.decode(text [, {header = true, delimiter = ";"}]) -> list`: a list of fields for each
  /// record, or with `header` a table by the names in the first record; `header` may also be the
  /// list of names itself. `nil, "invalid CSV at line 3: ..."` for what is none.
  private static let decode = LibraryFunction("csv.decode") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let options = try CSVOptions(arguments.value(), function: "csv.decode")
    // Written aside first: on an error nothing must be left in the results.
    var rows = ValueWriter(reserving: text.count + text.count / 2)
    do { try CSVDecoder.decode(text, options, into: &rows) } catch { throw .refused("\(error)") }
    rows.bytes.withUnsafeBytes { writer.append(encoded: $0) }
    return 1
  }

  /// `csv.encode(rows [, {header = {...}, delimiter = ";"}]) -> text`: lists of fields, or tables
  /// whose columns are those of `header`, else the names of the first row in order of their bytes.
  private static let encode = LibraryFunction("csv.encode") {
    arguments, _, writer throws(LibraryError) in
    let rows = try arguments.value()
    let options = try CSVOptions(arguments.value(), function: "csv.encode")
    guard let rows = rows.arrayValue else {
      throw .misuse("bad argument #1 to 'csv.encode' (list expected, got \(rows.kindName))")
    }
    writer.write(bytes: try CSVEncoder.encode(rows, options))
    return 1
  }
}
