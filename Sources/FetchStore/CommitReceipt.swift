package import FetchModel

/// The proof that a commit is durable.
package struct CommitReceipt: Equatable, Sendable {
  /// The sequence of the first change; the others follow without a gap. Nil if nothing changed.
  package var firstSequence: Int64?
  /// The stored size of the changes: see `ItemChange.storedBytes`.
  package var byteCount = 0
  /// The number of deliveries written.
  package var deliveryCount = 0

  package init(firstSequence: Int64? = nil, byteCount: Int = 0, deliveryCount: Int = 0) {
    self.firstSequence = firstSequence
    self.byteCount = byteCount
    self.deliveryCount = deliveryCount
  }
}

extension CommitReceipt {
  /// Returns the news of the commit as a reader of the store would see them.
  package func news(of commit: RunCommit) -> [StoredItem] {
    guard let firstSequence else { return [] }
    return commit.changes.changes.enumerated().compactMap { offset, change in
      guard change.kind.isNews else { return nil }
      return StoredItem(
        change, sequence: firstSequence + Int64(offset), job: commit.record.job,
        seenAt: commit.record.startedAt)
    }
  }
}
