/// Rows under headings, their columns aligned. On a terminal no row is longer than a line.
struct TextTable {
  struct Column {
    var heading: String
    /// Numbers stand to the right.
    var isNumber = false
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

  let columns: [Column]
  /// As many cells each as there are columns.
  private(set) var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  mutating func append(_ row: [Cell]) { rows.append(row) }

  func write(to terminal: Terminal) {
    for line in lines(width: terminal.width, styled: terminal.styled) { terminal.output(line) }
  }

  /// `width`: of the terminal; nil cuts nothing.
  func lines(width: Int?, styled: (String, Terminal.Style) -> String) -> [String] {
    let headings = columns.map { Cell($0.heading, .dim) }
    let widths = columns.indices.map { index in
      ([headings] + rows).map { $0[index].text.count }.max() ?? 0
    }
    return ([headings] + rows).map { line($0, widths, room: width ?? .max, styled) }
  }

  private func line(
    _ row: [Cell], _ widths: [Int], room: Int, _ styled: (String, Terminal.Style) -> String
  ) -> String {
    var line = ""
    var room = room
    for (index, cell) in row.enumerated() where room > 0 {
      let isLast = index == row.count - 1
      let text = PlainText.cut(cell.text, to: room)
      let gap = String(repeating: " ", count: max(0, min(widths[index], room) - text.count))
      let shown = cell.style.map { styled(text, $0) } ?? text
      line += columns[index].isNumber ? gap + shown : shown + (isLast ? "" : gap)
      room -= min(widths[index], room)
      if !isLast, room > 0 {
        line += "  "
        room -= 2
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
