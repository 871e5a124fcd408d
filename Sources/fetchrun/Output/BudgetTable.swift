import FetchEngine

/// The output of `fetchrun budget` as text, with one row for each limit.
enum BudgetTable {
  static func table(_ lines: [LedgerLine]) -> TextTable {
    var table = TextTable([
      .init(heading: "BUDGET"), .init(heading: "LIMIT", isNumber: true),
      .init(heading: "USED", isNumber: true), .init(heading: "AVAILABLE", isNumber: true),
      .init(heading: "LEVEL", isNumber: true), .init(heading: "TOTAL SPENT", isNumber: true),
    ])
    for line in lines { table.append(row(line)) }
    return table
  }

  private static func row(_ line: LedgerLine) -> [TextTable.Cell] {
    let isSpent = (line.available ?? 1) <= 0
    return [
      .init(line.noun), .init(line.limitText),
      .init(line.used.map { line.text($0) } ?? "-"),
      .init(line.available.map { line.text($0) } ?? "-", isSpent ? .yellow : nil),
      .init(level(line)), .init(line.spent.map { line.text($0) } ?? "-"),
    ]
  }

  /// Returns the available amount in percent of the largest amount that can be available; `-` if
  /// there is no such percentage.
  private static func level(_ line: LedgerLine) -> String {
    line.percentLeft.map { "\($0) %" } ?? "-"
  }
}
