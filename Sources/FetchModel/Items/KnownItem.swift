package import FetchValues

/// The store's knowledge of an item: enough to compare, without its content.
package struct KnownItem: Equatable, Sendable {
  package enum Presence: UInt8, Sendable {
    case present = 0
    /// It is missing from a whole result: the source removed it.
    case removed = 1
    /// Retention deleted it; a tombstone keeps it from becoming new again.
    case pruned = 2
  }

  package var fingerprint: Fingerprint
  package var presence: Presence
  /// The time when it was last in a result, renewed at most once per `lastSeenRenewal`.
  package var lastSeenAt: Timestamp

  package init(fingerprint: Fingerprint, presence: Presence, lastSeenAt: Timestamp) {
    self.fingerprint = fingerprint
    self.presence = presence
    self.lastSeenAt = lastSeenAt
  }

  /// Retention counts days; writing every item at every run would cost more than the run.
  package static let lastSeenRenewal: Duration = .seconds(7 * 86_400)
}

/// The known versions of a run's items, and of all present ones if the rules need them.
package struct KnownItems: Equatable, Sendable {
  package private(set) var items: [ItemKey: KnownItem] = [:]

  package init() {}

  package subscript(key: ItemKey) -> KnownItem? {
    get { items[key] }
    set { items[key] = newValue }
  }
}
