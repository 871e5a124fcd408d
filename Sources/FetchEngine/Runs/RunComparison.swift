import FetchModel
import FetchValues

/// The items that one part of a run gave, beside what the store knows of them.
struct RunComparison: Sendable {
  var items: IdentifiedItems
  var rules: ItemRules
  var known: KnownItems
  /// Whether the items are all that the source has.
  var isWhole: Bool

  /// The changes that the items are; `earlier` has what earlier parts of the run have shown.
  func changes(of leased: LeasedJob, after earlier: Set<ItemKey>) -> RunChanges {
    Diff.decide(
      items, rules: rules, known: known, isFirstRun: leased.isOfFirstRun, isWhole: isWhole,
      earlier: earlier, now: leased.record.startedAt)
  }
}
