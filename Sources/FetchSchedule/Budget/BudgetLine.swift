package import FetchModel

/// How one limit of the budget stands.
package struct BudgetLine: Hashable, Sendable {
  package var resource: BudgetResource
  package var rate: Rate
  /// The most that can be spent at once.
  package var burst: Double
  /// What can be spent now; negative where runs have cost more than was believed.
  package var available: Double

  /// `requests: 12 of at most 30 at hand, 600 an hour`.
  package var text: String {
    let hand =
      available < 0 ? "\(resource.text(-available)) owed" : "\(resource.text(available)) at hand"
    return "\(resource.noun): \(hand) (at most \(resource.text(burst))), "
      + "\(resource.text(Double(rate.amount))) \(rate.period.phrase)"
  }
}

extension Rate.Period {
  /// `an hour`, `a day`.
  package var phrase: String { self == .hour ? "an hour" : "a day" }
}
