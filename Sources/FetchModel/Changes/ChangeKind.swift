/// The kind of change of an item. Stores keep the `rawValue`: never renumber.
package enum ChangeKind: UInt8, Sendable, CaseIterable {
  /// Stored at a job's first run without being news.
  case baseline = 0
  case added = 1
  case updated = 2
  case removed = 3
}

extension ChangeKind {
  package var isNews: Bool { self != .baseline }

  /// The word in JSON and on the terminal.
  package var word: String {
    switch self {
    case .baseline: "baseline"
    case .added: "added"
    case .updated: "updated"
    case .removed: "removed"
    }
  }
}
