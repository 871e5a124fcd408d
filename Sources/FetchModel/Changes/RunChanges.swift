/// The changes that a result makes to the store, as `Diff` decides them.
package struct RunChanges: Equatable, Sendable {
  /// The changes, oldest first, so that a later change gets a higher sequence number.
  package var changes: [ItemChange] = []
  /// The keys of the unchanged items whose last-seen mark in the store is old.
  package var seen: [ItemKey] = []
  /// The number of items in the result.
  package var itemCount = 0

  /// The keys of all items in the result.
  package var shown: [ItemKey] = []

  package init() {}

  /// The number of changes that are news, by kind; `baseline` items do not count.
  package var counts: ChangeCounts {
    changes.reduce(into: ChangeCounts()) { counts, change in
      switch change.kind {
      case .baseline: break
      case .added: counts.added += 1
      case .updated: counts.updated += 1
      case .removed: counts.removed += 1
      }
    }
  }

  /// The number of changes that are stored without being reported as news.
  package var silentCount: Int { changes.count { !$0.kind.isNews } }

  /// The size of the changes in a store, in bytes. Computing the size takes about as long as
  /// storing the changes.
  package var storedBytes: Int { changes.reduce(0) { $0 + $1.storedBytes } }

  /// The outcome of a run with these changes and no HTTP answers.
  package var outcome: Outcome {
    OutcomeRule.decide(changes: counts, itemCount: itemCount, answers: [])
  }
}
