/// What a hook may be told of. `rawValue` is the word in configs and in deliveries.
package enum HookEvent: String, Sendable, CaseIterable {
  // Of items.
  case added, updated, removed
  /// A run ended without news.
  case noData
  /// So many runs in a row have failed: told once.
  case failed
  /// The first run that went well after failures that were told of.
  case recovered
  /// No run went well, or none brought anything new, for so long: told once.
  case stale
}

extension HookEvent {
  /// That of a change; nil for one that is no news.
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
