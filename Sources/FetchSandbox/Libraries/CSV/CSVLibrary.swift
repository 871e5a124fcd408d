import FetchValues

/// The pure functions of `require "csv"`.
package enum CSVLibrary {
  package static let functions: [LibraryFunction] = [decode, encode]

  /// `csv.decode(text [, {header = true, delimiter = ";"}]) -> list`: returns a list of fields for
  /// each record. With `header = true`, the first record has the keys, and each further record
  /// becomes a table. `header` can also be a list of names. For invalid text the function returns
  /// `nil, "invalid CSV at line 3: ..."`.
  private static let decode = LibraryFunction("csv.decode") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let options = try CSVOptions(arguments.value(), function: "csv.decode")
    // The rows are collected separately, because the results must not contain rows after an error.
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

/// The layout of a CSV text.
struct CSVOptions {
  enum Header {
    case none
    case firstRecord
    case names([String])
  }

  var delimiter = UInt8(ascii: ",")
  var header = Header.none

  init(_ value: Value, function: String) throws(LibraryError) {
    let options = try LibraryOptions(value, function: function, known: ["delimiter", "header"])
    if let text = try options.string("delimiter") {
      let forbidden: [UInt8] = [UInt8(ascii: "\""), 0x0A, 0x0D]
      guard text.utf8.count == 1, let byte = text.utf8.first, !forbidden.contains(byte) else {
        throw .misuse(
          "bad option 'delimiter' for '\(function)' (one ASCII character expected, but not a"
            + " double quote or a line break)")
      }
      delimiter = byte
    }
    guard let value = options["header"] else { return }
    if let flag = value.boolValue {
      header = flag ? .firstRecord : .none
      return
    }
    guard let list = value.arrayValue else { throw options.bad("header", "boolean or list", value) }
    var names: [String] = []
    for element in list {
      guard let name = element.stringValue else { throw options.bad("header", "strings", element) }
      names.append(name)
    }
    header = .names(names)
  }
}

/// The reason why a text is not CSV.
struct CSVError: Error, Equatable, CustomStringConvertible {
  var problem: String
  /// The line number, counted from 1. It is the line of an unclosed quote, or the line of a text
  /// after a closing quote. All other problems have the line at which the record begins.
  var line: Int

  var description: String { "invalid CSV at line \(line): \(problem)" }
}
