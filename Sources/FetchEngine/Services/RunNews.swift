package import FetchModel

/// What becomes of the news of a run, beside being stored: of many thousand items they are most of
/// what a run takes.
package enum RunNews: Sendable {
  /// Its report has all.
  case all
  /// Its report has the last so many.
  case last(Int)
  /// Each is given away in order, as soon as it is stored for good; the report has none.
  case each(@Sendable (StoredItem) -> Void)
  /// They are in the store.
  case none
}
