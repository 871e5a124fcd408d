import FetchEngine
import FetchSchedule

/// `fetchrun budget` as text, one row per limit.
enum BudgetTable {
  static func table(_ lines: [LedgerLine]) -> TextTable {
    var table = TextTable([
      .init(heading: "BUDGET"), .init(heading: "LIMIT", isNumber: true),
      .init(heading: "USED", isNumber: true), .init(heading: "AT HAND", isNumber: true),
      .init(heading: "LEVEL", isNumber: true), .init(heading: "TOTAL SPENT", isNumber: true),
    ])
    for line in lines { table.append(row(line)) }
    return table
  }

  private static func row(_ line: LedgerLine) -> [TextTable.Cell] {
    let isSpent = (line.available ?? 1) <= 0
    return [
      .init(noun(line)), .init(limit(line)),
      .init(line.used.map { amount($0, line) } ?? "-"),
      .init(line.available.map { amount($0, line) } ?? "-", isSpent ? .yellow : nil),
      .init(level(line)), .init(line.spent.map { amount($0, line) } ?? "-"),
    ]
  }

  private static func noun(_ line: LedgerLine) -> String {
    if line.resource == LedgerLine.runsAtOnce { return "runs at once" }
    let noun = BudgetResource(rawValue: line.resource)?.noun ?? line.resource
    return line.job.map { "\($0): \(noun)" } ?? noun
  }

  /// Returns the limit, such as `600/h` or `none`.
  private static func limit(_ line: LedgerLine) -> String {
    guard let limit = line.limit else { return "none" }
    return amount(limit, line) + (line.period.map { "/\($0)" } ?? "")
  }

  private static func amount(_ number: Int64, _ line: LedgerLine) -> String {
    guard let resource = BudgetResource(rawValue: line.resource) else { return "\(number)" }
    return (number < 0 ? "-" : "") + resource.text(Double(number.magnitude))
  }

  /// Returns the level of the bucket in percent.
  private static func level(_ line: LedgerLine) -> String {
    guard let available = line.available, let burst = line.burst, burst > 0 else { return "-" }
    return "\(Int((Double(available) / Double(burst) * 100).rounded(.down))) %"
  }
}
