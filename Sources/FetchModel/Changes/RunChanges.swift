/// What a result means for the store: the decision of `Diff`.
package struct RunChanges: Equatable, Sendable {
  /// Oldest first, so that a sequence given in this order grows with time.
  package var changes: [ItemChange] = []
  /// Unchanged items whose mark of being seen has grown old.
  package var seen: [ItemKey] = []
  /// How many items the result had.
  package var itemCount = 0

  /// The keys of all items.
  package var shown: [ItemKey] = []

  package init() {}

  /// News only: baseline items do not count.
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

  /// The items that are new or changed and no news.
  package var silentCount: Int { changes.count { !$0.kind.isNews } }

  /// What they take in a store. It costs as much as storing them.
  package var storedBytes: Int { changes.reduce(0) { $0 + $1.storedBytes } }

  /// What a run with these changes and no HTTP answers came to.
  package var outcome: Outcome {
    OutcomeRule.decide(changes: counts, itemCount: itemCount, answers: [])
  }
}
