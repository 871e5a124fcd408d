import Foundation

/// A table in plain text. The first two columns are left-aligned, and all other columns are
/// right-aligned.
struct Table {
  private var rows: [[String]] = []

  mutating func add(_ cells: String...) { rows.append(cells) }
  mutating func add(_ cells: [String]) { rows.append(cells) }

  var text: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column < 2 ? cell + padding : padding + cell
      }.joined(separator: "  ").trimmingSuffix()
    }.joined(separator: "\n")
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    String(reversed().drop(while: { $0 == " " }).reversed())
  }
}

extension Double {
  func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension [Double] {
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Prints a message to standard error.
func report(_ message: String) {
  FileHandle.standardError.write(Data((message + "\n").utf8))
}
