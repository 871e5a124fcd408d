import FetchSchedule

/// The words for a row of the budget, in a table and on a page.
extension LedgerLine {
  /// The name of the resource, after the job that has the budget: `requests`, `news: requests`.
  package var noun: String {
    if resource == Self.runsAtOnce { return "runs at once" }
    let noun = BudgetResource(rawValue: resource)?.noun ?? resource
    return job.map { "\($0): \(noun)" } ?? noun
  }

  /// The limit as text, such as `600/h` or `none`.
  package var limitText: String {
    guard let limit else { return "none" }
    return text(limit) + (period.map { "/\($0)" } ?? "")
  }

  /// Returns an amount of the resource with its unit.
  package func text(_ amount: Int64) -> String {
    guard let resource = BudgetResource(rawValue: resource) else { return "\(amount)" }
    return (amount < 0 ? "-" : "") + resource.text(Double(amount.magnitude))
  }

  /// The share of the burst that can still be spent, in percent, rounded down; nil without a limit.
  /// The share is negative if runs have cost more than expected.
  package var percentLeft: Int? {
    guard let available, let burst, burst > 0 else { return nil }
    return Int((Double(available) / Double(burst) * 100).rounded(.down))
  }
}
