/// An event that a hook can report. The `rawValue` is the event's name in configs and deliveries.
package enum HookEvent: String, Sendable, CaseIterable {
  // Changes of items.
  case added, updated, removed
  /// A run ended without news.
  case noData
  /// The last `HookConfig.failuresInRow` runs of a job have failed. The event is reported once.
  case failed
  /// A run has succeeded for the first time after reported failures.
  case recovered
  /// No run succeeded for `staleAfter`, or no run had news for `quietAfter`. The event is reported
  /// once.
  case stale
}

extension HookEvent {
  /// Creates the event for a kind of change; nil for a change that is not news.
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
