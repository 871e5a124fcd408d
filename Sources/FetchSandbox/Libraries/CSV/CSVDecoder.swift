import FetchValues

/// The decoder that writes the records of a CSV text as encoded values.
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

  /// Writes a table for each record. A field that has a value but no column in the header is an
  /// error. An empty field without a column is ignored, as after a delimiter at the end of a line.
  private static func decodeTables(
    _ scanner: inout CSVScanner, names: [[UInt8]], into writer: inout ValueWriter
  ) throws(CSVError) {
    let rows = writer.beginArray()
    var rowCount = 0
    while true {
      let row = writer.beginObject()
      var fieldCount = 0
      scanner.skipEmptyLines()
      let line = scanner.line
      let isRow = try scanner.record { field throws(CSVError) in
        if fieldCount < names.count {
          writer.write(bytes: names[fieldCount])
          writer.write(bytes: field)
        } else if !field.isEmpty {
          throw CSVError(
            problem: "more fields than the header has columns (\(names.count))", line: line)
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

/// The records of a CSV text (RFC 4180), one after the other.
///
/// Unlike in the RFC, lines may end with LF or CR alone. A byte order mark and empty lines are
/// skipped. A quote is literal in a field that does not begin with a quote.
struct CSVScanner {
  private let text: UnsafeRawBufferPointer
  private let delimiter: UInt8
  private var cursor = 0
  private(set) var line = 1
  private(set) var recordLine = 1

  init(_ text: UnsafeRawBufferPointer, delimiter: UInt8) {
    self.text = text
    self.delimiter = delimiter
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { cursor = 3 }
  }

  /// Calls `body` with each field of the next record. Returns false at the end of the text.
  mutating func record(
    _ body: (UnsafeRawBufferPointer) throws(CSVError) -> Void
  ) throws(CSVError) -> Bool {
    skipEmptyLines()
    guard cursor < text.count else { return false }
    recordLine = line
    while true {
      try field(body)
      guard cursor < text.count else { return true }
      if text[cursor] == delimiter {
        cursor += 1
        continue
      }
      skipLineEnd()
      return true
    }
  }

  mutating func skipEmptyLines() {
    while cursor < text.count, isLineEnd(text[cursor]) { skipLineEnd() }
  }

  private mutating func skipLineEnd() {
    let isCR = text[cursor] == 0x0D
    cursor += 1
    if isCR, cursor < text.count, text[cursor] == 0x0A { cursor += 1 }
    line += 1
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private mutating func field(
    _ body: (UnsafeRawBufferPointer) throws(CSVError) -> Void
  ) throws(CSVError) {
    if cursor < text.count, text[cursor] == UInt8(ascii: "\"") { return try quoted(body) }
    let start = cursor
    while cursor < text.count, text[cursor] != delimiter, !isLineEnd(text[cursor]) { cursor += 1 }
    try body(UnsafeRawBufferPointer(rebasing: text[start..<cursor]))
  }

  private mutating func quoted(
    _ body: (UnsafeRawBufferPointer) throws(CSVError) -> Void
  ) throws(CSVError) {
    cursor += 1
    let start = cursor
    var end = start
    var hasEscapes = false
    while true {
      guard end < text.count else {
        throw CSVError(problem: "the quote is not closed", line: line)
      }
      if text[end] == UInt8(ascii: "\"") {
        guard end + 1 < text.count, text[end + 1] == UInt8(ascii: "\"") else { break }
        hasEscapes = true
        end += 1
      }
      end += 1
    }
    let content = UnsafeRawBufferPointer(rebasing: text[start..<end])
    cursor = end + 1
    if cursor < text.count, text[cursor] != delimiter, !isLineEnd(text[cursor]) {
      throw CSVError(problem: "text after the closing quote", line: line + lineEnds(content))
    }
    line += lineEnds(content)
    guard hasEscapes else { return try body(content) }
    var plain: [UInt8] = []
    plain.reserveCapacity(content.count)
    var index = 0
    while index < content.count {
      plain.append(content[index])
      index += content[index] == UInt8(ascii: "\"") ? 2 : 1
    }
    try plain.withUnsafeBufferPointer { bytes throws(CSVError) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }

  private func lineEnds(_ content: UnsafeRawBufferPointer) -> Int {
    var count = 0
    for index in content.indices {
      let byte = content[index]
      let isCRLF = byte == 0x0D && index + 1 < content.count && content[index + 1] == 0x0A
      if byte == 0x0A || byte == 0x0D && !isCRLF { count += 1 }
    }
    return count
  }
}
