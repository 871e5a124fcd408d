/// An event that a hook can report. `rawValue` is the word in configs and in deliveries.
package enum HookEvent: String, Sendable, CaseIterable {
  // Changes of items.
  case added, updated, removed
  /// A run ended without news.
  case noData
  /// That many runs in a row have failed; reported once.
  case failed
  /// The first success after reported failures.
  case recovered
  /// No run succeeded, or none brought anything new, for that long; reported once.
  case stale
}

extension HookEvent {
  /// Creates the event of a change; nil if it is not news.
  package init?(_ kind: ChangeKind) {
    switch kind {
    case .baseline: return nil
    case .added: self = .added
    case .updated: self = .updated
    case .removed: self = .removed
    }
  }

  package var isOfItems: Bool { self == .added || self == .updated || self == .removed }
}
