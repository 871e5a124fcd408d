import FetchValues

/// The encoder that writes rows of values as CSV text (RFC 4180). Lines end with CRLF. Strings are
/// quoted only where needed, and numbers and Booleans never.
enum CSVEncoder {
  static func encode(_ rows: [Value], _ options: CSVOptions) throws(LibraryError) -> [UInt8] {
    var text: [UInt8] = []
    var columns: [String]?
    if case .names(let names) = options.header {
      columns = names
    } else if let first = rows.first?.objectValue, !first.isEmpty {
      columns = first.sortedByKey.keys
    }
    let writesHeader = if case .none = options.header { rows.first?.isTable == true } else { true }
    if let columns, writesHeader {
      append(columns.map { .string($0) }, options, to: &text)
    }
    for (index, row) in rows.enumerated() {
      if let list = row.arrayValue, !list.isEmpty || columns == nil {
        append(
          try list.map { field throws(LibraryError) in try scalar(field, row: index) }, options,
          to: &text)
      } else if let table = row.objectValue, let columns {
        append(
          try columns.map { name throws(LibraryError) in
            try scalar(table[name] ?? .null, row: index)
          }, options, to: &text)
      } else {
        throw .misuse(
          "row \(index + 1) for 'csv.encode' "
            + (row.objectValue == nil
              ? "must be a table, got \(row.kindName)"
              : "is a table with names, but the columns are unknown: list them in the option"
                + " 'header'"))
      }
    }
    return text
  }

  private static func scalar(_ value: Value, row: Int) throws(LibraryError) -> Value {
    switch value {
    case .array, .object:
      throw .misuse("row \(row + 1) for 'csv.encode' has a \(value.kindName) as a field")
    default: value
    }
  }

  private static func append(_ fields: [Value], _ options: CSVOptions, to text: inout [UInt8]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { text.append(options.delimiter) }
      switch field {
      case .null, .array, .object: break
      case .bool(let flag): text.append(contentsOf: "\(flag)".utf8)
      case .integer(let number): text.append(contentsOf: "\(number)".utf8)
      case .number(let number): text.append(contentsOf: LuaNumber.text(number).utf8)
      case .string(let string): append(field: Array(string.utf8), options, to: &text)
      case .bytes(let bytes): append(field: bytes, options, to: &text)
      }
    }
    // The empty field of a record with only one field is quoted. Otherwise the record would be an
    // empty line, and readers skip empty lines.
    if fields.count == 1 && text.last.map({ $0 == 0x0A }) ?? true {
      text.append(contentsOf: "\"\"".utf8)
    }
    text.append(contentsOf: [0x0D, 0x0A])
  }

  private static func append(field: [UInt8], _ options: CSVOptions, to text: inout [UInt8]) {
    let needsQuotes = field.contains {
      $0 == options.delimiter || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
    }
    guard needsQuotes else { return text.append(contentsOf: field) }
    text.append(UInt8(ascii: "\""))
    for byte in field {
      if byte == UInt8(ascii: "\"") { text.append(byte) }
      text.append(byte)
    }
    text.append(UInt8(ascii: "\""))
  }
}

extension Value {
  fileprivate var isTable: Bool {
    if case .object(let object) = self { !object.isEmpty } else { false }
  }
}
