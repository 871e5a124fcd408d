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
