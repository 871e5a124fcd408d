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
