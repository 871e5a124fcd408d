import FetchValues

/// A table with headings and aligned columns. On a narrow terminal, optional columns are omitted,
/// from the right. Then the texts of shortened columns are cut. A row that is still longer than a
/// line is cut.
struct TextTable {
  struct Column {
    var heading: String
    /// Whether the column has numbers. Numbers are aligned to the right.
    var isNumber = false
    /// Whether the column may be omitted if the terminal is too narrow.
    var isOptional = false
    /// Whether texts may be cut if the last column would otherwise have too little space.
    var isShortened = false
  }

  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var style: Terminal.Style?

    init(_ text: String, _ style: Terminal.Style? = nil) {
      self.text = PlainText.line(text)
      self.style = style
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  /// The width that is reserved for the last column if its texts need it. Optional columns are
  /// omitted if less space would be left.
  private static let lastWidthMin = 30
  /// The minimum width to which a column is shortened.
  private static let shortenedWidthMin = 12
  private static let gapWidth = 2

  let columns: [Column]
  /// Each row has one cell for each column.
  private(set) var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  mutating func append(_ row: [Cell]) { rows.append(row) }

  func write(to terminal: Terminal) {
    for line in lines(width: terminal.width, styled: terminal.styled) { terminal.output(line) }
  }

  /// Returns the lines of the table. `width` is the width of the terminal in columns; nil means no
  /// limit.
  func lines(width: Int?, styled: (String, Terminal.Style) -> String) -> [String] {
    let headings = columns.map { Cell($0.heading, .dim) }
    var widths = columns.indices.map { index in
      ([headings] + rows).map { $0[index].text.count }.max() ?? 0
    }
    let shown = fitting(widths, width ?? .max)
    shorten(&widths, of: shown, width ?? .max)
    return ([headings] + rows).map { line($0, shown, widths, room: width ?? .max, styled) }
  }

  /// Returns the indices of the columns that are shown.
  private func fitting(_ widths: [Int], _ room: Int) -> [Int] {
    var shown = Array(columns.indices)
    let lastWidth = min(widths.last ?? 0, Self.lastWidthMin)
    for index in columns.indices.reversed() where columns[index].isOptional {
      let before = shown.dropLast().reduce(0) { $0 + widths[$1] + Self.gapWidth }
      if before + lastWidth <= room { break }
      shown.removeAll { $0 == index }
    }
    return shown
  }

  /// Reduces the widths of shortened columns, so that the last column gets the width that is
  /// reserved for it.
  private func shorten(_ widths: inout [Int], of shown: [Int], _ room: Int) {
    let lastWidth = min(widths.last ?? 0, Self.lastWidthMin)
    for index in shown.dropLast() where columns[index].isShortened {
      let needed = shown.dropLast().reduce(lastWidth) { $0 + widths[$1] + Self.gapWidth }
      let least = min(widths[index], Self.shortenedWidthMin)
      widths[index] = max(least, widths[index] - max(0, needed - room))
    }
  }

  private func line(
    _ row: [Cell], _ shown: [Int], _ widths: [Int], room: Int,
    _ styled: (String, Terminal.Style) -> String
  ) -> String {
    var line = ""
    var room = room
    for index in shown where room > 0 {
      let cell = row[index]
      let isLast = index == shown.last
      let text = PlainText.cut(cell.text, to: min(widths[index], room))
      let gap = String(repeating: " ", count: max(0, min(widths[index], room) - text.count))
      let styledText = cell.style.map { styled(text, $0) } ?? text
      line += columns[index].isNumber ? gap + styledText : styledText + (isLast ? "" : gap)
      room -= min(widths[index], room)
      if !isLast, room > 0 {
        line += String(repeating: " ", count: Self.gapWidth)
        room -= Self.gapWidth
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
