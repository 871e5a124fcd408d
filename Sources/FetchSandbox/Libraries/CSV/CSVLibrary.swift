import FetchValues

/// The pure functions of `require "csv"`.
package enum CSVLibrary {
  package static let functions: [LibraryFunction] = [decode, encode]

  /// `csv.decode(text [, {header = true, delimiter = ";"}]) -> list`: returns a list of fields for
  /// each record. With `header = true` each record is a table whose keys are the names in the first
  /// record; `header` can also be a list of names. For invalid text the function returns `nil,
  /// "invalid CSV at line 3: ..."`.
  private static let decode = LibraryFunction("csv.decode") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let options = try CSVOptions(arguments.value(), function: "csv.decode")
    // Collects the rows separately, because after an error the results must not contain them.
    var rows = ValueWriter(reserving: text.count + text.count / 2)
    do { try CSVDecoder.decode(text, options, into: &rows) } catch { throw .refused("\(error)") }
    rows.bytes.withUnsafeBytes { writer.append(encoded: $0) }
    return 1
  }

  /// `csv.encode(rows [, {header = {...}, delimiter = ";"}]) -> text`: writes lists of fields, or
  /// tables. The columns of tables are those in `header`, otherwise the names in the first row,
  /// sorted by their bytes.
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
