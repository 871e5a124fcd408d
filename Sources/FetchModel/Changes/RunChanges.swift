/// The changes that a result makes to the store: the decision of `Diff`.
package struct RunChanges: Equatable, Sendable {
  /// The changes, oldest first, so that sequences in this order grow with time.
  package var changes: [ItemChange] = []
  /// The unchanged items whose last-seen mark is old.
  package var seen: [ItemKey] = []
  /// The number of items in the result.
  package var itemCount = 0

  /// The keys of all items.
  package var shown: [ItemKey] = []

  package init() {}

  /// The counts of news only, without baseline items.
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

  /// The number of items that are new or changed but not news.
  package var silentCount: Int { changes.count { !$0.kind.isNews } }

  /// Their size in a store. Computing it costs as much as storing them.
  package var storedBytes: Int { changes.reduce(0) { $0 + $1.storedBytes } }

  /// The outcome of a run with these changes and no HTTP answers.
  package var outcome: Outcome {
    OutcomeRule.decide(changes: counts, itemCount: itemCount, answers: [])
  }
}
