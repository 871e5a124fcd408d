package import FetchValues

/// What the store knows of an item: enough to compare, without its content.
package struct KnownItem: Equatable, Sendable {
  package enum Presence: UInt8, Sendable {
    case present = 0
    /// Missing from a whole result: the source took it away.
    case removed = 1
    /// Forgotten by retention; only this tombstone is left, so that it does not come back as new.
    case pruned = 2
  }

  package var fingerprint: Fingerprint
  package var presence: Presence
  /// When it was last in a result, renewed at most once in `lastSeenRenewal`.
  package var lastSeenAt: Timestamp

  package init(fingerprint: Fingerprint, presence: Presence, lastSeenAt: Timestamp) {
    self.fingerprint = fingerprint
    self.presence = presence
    self.lastSeenAt = lastSeenAt
  }

  /// Retention counts days; writing every item at every run would cost more than the run.
  package static let lastSeenRenewal: Duration = .seconds(7 * 86_400)
}

/// What the store knows of the items a run brought, and of all present ones where the rules need it.
package struct KnownItems: Equatable, Sendable {
  package private(set) var items: [ItemKey: KnownItem] = [:]

  package init() {}

  package subscript(key: ItemKey) -> KnownItem? {
    get { items[key] }
    set { items[key] = newValue }
  }
}
