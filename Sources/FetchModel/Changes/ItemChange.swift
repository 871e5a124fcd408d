/// A change of an item, as `Diff` decides it and the store records it.
package struct ItemChange: Equatable, Sendable {
  package var key: ItemKey
  package var kind: ChangeKind
  package var fingerprint: Fingerprint
  /// The new version of the item; nil for a removed item.
  package var item: ParsedItem?
  /// The last stored version of a removed item, for notifications about the removal; nil if it was
  /// not read.
  package var last: LastVersion?
}

/// The last stored version of a removed item.
package struct LastVersion: Equatable, Sendable {
  package var title: String?
  package var url: String?

  package init(title: String?, url: String?) {
    self.title = title
    self.url = url
  }
}

extension ItemChange {
  /// The approximate size of a stored version, in bytes, without the item's key and fields.
  package static let storedBytesEach = 200

  /// The approximate size of the change in a store, in bytes. Computing the size encodes the item's
  /// fields as JSON.
  package var storedBytes: Int {
    Self.storedBytes(key: key, fields: item?.fieldsJSON.count ?? 2)
  }

  package static func storedBytes(key: ItemKey, fields: Int) -> Int {
    storedBytesEach + key.text.utf8.count + fields
  }
}

/// The kind of change of an item. A store contains the `rawValue`, so a case's `rawValue` must
/// never change.
package enum ChangeKind: UInt8, Sendable, CaseIterable {
  /// An item that a job's first run stored without reporting it as news.
  case baseline = 0
  case added = 1
  case updated = 2
  case removed = 3
}

extension ChangeKind {
  package var isNews: Bool { self != .baseline }

  /// The change's name in JSON and on the terminal.
  package var word: String {
    switch self {
    case .baseline: "baseline"
    case .added: "added"
    case .updated: "updated"
    case .removed: "removed"
    }
  }
}

/// The numbers of items that a run added, updated and removed.
package struct ChangeCounts: Equatable, Sendable {
  package var added = 0
  package var updated = 0
  package var removed = 0

  package init(added: Int = 0, updated: Int = 0, removed: Int = 0) {
    self.added = added
    self.updated = updated
    self.removed = removed
  }

  package var total: Int { added + updated + removed }
}

extension ChangeCounts {
  package static func + (left: ChangeCounts, right: ChangeCounts) -> ChangeCounts {
    ChangeCounts(
      added: left.added + right.added, updated: left.updated + right.updated,
      removed: left.removed + right.removed)
  }
}

/// The changes that a result makes to the store, as `Diff` decides them.
package struct RunChanges: Equatable, Sendable {
  /// The changes in the order of their future sequence numbers. The changes to items of the result
  /// come first, oldest first. The removals follow.
  package var changes: [ItemChange] = []
  /// The keys of the unchanged items whose last-seen time in the store is at least
  /// `KnownItem.lastSeenRenewal` ago.
  package var seen: [ItemKey] = []
  /// The number of items in the result.
  package var itemCount = 0

  /// The keys of all items in the result.
  package var shown: [ItemKey] = []

  package init() {}

  /// The number of changes that are news, by kind. `baseline` items do not count.
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

  /// The approximate size of the changes in a store, in bytes. Computing the size encodes the
  /// fields of all changed items as JSON.
  package var storedBytes: Int { changes.reduce(0) { $0 + $1.storedBytes } }

  /// The outcome of a run with these changes and no HTTP answers.
  package var outcome: Outcome {
    OutcomeRule.decide(changes: counts, itemCount: itemCount, answers: [])
  }
}
