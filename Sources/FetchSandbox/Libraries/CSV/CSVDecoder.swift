import FetchValues

/// Decodes CSV text to encoded values.
enum CSVDecoder {
  static func decode(
    _ text: UnsafeRawBufferPointer, _ options: CSVOptions, into writer: inout ValueWriter
  ) throws(CSVError) {
    var scanner = CSVScanner(text, delimiter: options.delimiter)
    switch options.header {
    case .none: try decodeLists(&scanner, into: &writer)
    case .names(let names):
      try decodeTables(&scanner, names: names.map { Array($0.utf8) }, into: &writer)
    case .firstRecord:
      var names: [[UInt8]] = []
      _ = try scanner.record { field throws(CSVError) in names.append(Array(field)) }
      var seen = Set<[UInt8]>()
      for name in names where !seen.insert(name).inserted {
        let text = String(decoding: name, as: UTF8.self)
        throw CSVError(problem: "duplicate column '\(text)'", line: scanner.recordLine)
      }
      try decodeTables(&scanner, names: names, into: &writer)
    }
  }

  private static func decodeLists(
    _ scanner: inout CSVScanner, into writer: inout ValueWriter
  ) throws(CSVError) {
    let rows = writer.beginArray()
    var rowCount = 0
    while true {
      let row = writer.beginArray()
      var fieldCount = 0
      let isRow = try scanner.record { field throws(CSVError) in
        writer.write(bytes: field)
        fieldCount += 1
      }
      guard isRow else {
        writer.removeLast(from: row)
        break
      }
      writer.endArray(row, count: fieldCount)
      rowCount += 1
    }
    writer.endArray(rows, count: rowCount)
  }

  /// Writes a table for each record. A field without a column in the header is an error, unless the
  /// field is empty, as after a delimiter at the end of a line.
  private static func decodeTables(
    _ scanner: inout CSVScanner, names: [[UInt8]], into writer: inout ValueWriter
  ) throws(CSVError) {
    let rows = writer.beginArray()
    var rowCount = 0
    while true {
      let row = writer.beginObject()
      var fieldCount = 0
      let line = scanner.line
      let isRow = try scanner.record { field throws(CSVError) in
        if fieldCount < names.count {
          writer.write(bytes: names[fieldCount])
          writer.write(bytes: field)
        } else if !field.isEmpty {
          throw CSVError(
            problem: "more fields than the \(names.count) columns of the header", line: line)
        }
        fieldCount += 1
      }
      guard isRow else {
        writer.removeLast(from: row)
        break
      }
      writer.endObject(row, count: min(fieldCount, names.count))
      rowCount += 1
    }
    writer.endArray(rows, count: rowCount)
  }
}
