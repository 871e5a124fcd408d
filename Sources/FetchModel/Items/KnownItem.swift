package import FetchValues

/// The stored facts that are needed to compare an item, without its content.
package struct KnownItem: Equatable, Sendable {
  package enum Presence: UInt8, Sendable {
    case present = 0
    /// The source removed the item, because a complete result lacked it.
    case removed = 1
    /// fetchrun deleted the item's content under its retention rules. A tombstone remains, so that
    /// the item is not news again.
    case pruned = 2
  }

  package var fingerprint: Fingerprint
  package var presence: Presence
  /// The time of a result that had the item. For an unchanged item, the time is updated only if it
  /// is older than `lastSeenRenewal`, so later results may have had the item, too.
  package var lastSeenAt: Timestamp

  package init(fingerprint: Fingerprint, presence: Presence, lastSeenAt: Timestamp) {
    self.fingerprint = fingerprint
    self.presence = presence
    self.lastSeenAt = lastSeenAt
  }

  /// The minimum age at which a last-seen mark is updated. Retention counts in days, and updating
  /// every mark in every run would cost more than the run itself.
  package static let lastSeenRenewal: Duration = .seconds(7 * 86_400)
}

/// The stored facts about the items of a run. If the rules are `complete`, all items of the job
/// that are present are included.
package struct KnownItems: Equatable, Sendable {
  package private(set) var items: [ItemKey: KnownItem] = [:]

  package init() {}

  package subscript(key: ItemKey) -> KnownItem? {
    get { items[key] }
    set { items[key] = newValue }
  }
}

/// The identity of an item within its job, as text.
package struct ItemKey: Hashable, Sendable {
  private let exact: ExactText
  package var text: String { exact.text }

  /// The maximum length of a key, in bytes. A longer key is hashed, because SQLite would store most
  /// of it outside the index page, on at least one additional page for each key.
  package static let textBytesMax = 1024

  package init(_ text: String) { exact = ExactText(text) }
}
