package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension SQLiteStore {
  /// Applies retention to the whole store, in small steps, and returns how many rows went.
  package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) -> Int {
    var note = RetentionNote()
    note.sweep = RetentionSweep(isPressed: false)
    var count = 0
    while let sweep = note.sweep {
      note = try await queue.perform(isWrite: true) { [note] connection in
        var note = note
        try connection.step(&note, retention, now: now)
        return note
      }
      count += (note.sweep ?? note.last ?? sweep).removedCount - sweep.removedCount
    }
    return count
  }

  /// Does one small step of retention where it is due: once a day, and once an hour while the store has
  /// little room. What is due and how far it has come is remembered in the store.
  ///
  /// - Parameter retention: what a config asks for; nil: what the last one asked for.
  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) async throws(StoreError) -> RetentionProgress {
    try await queue.perform(isWrite: true) { try $0.keepUp(retention, now: now) }
  }

  /// What the items of one job may take: see `Retention.jobBytesMax`.
  package var jobBytesMax: Int64 { shareMax.load(ordering: .relaxed) }

  /// The retention of the last config that named this store; otherwise the usual one.
  package func retention() async throws(StoreError) -> Retention {
    try await queue.perform(isWrite: false) { connection in
      RetentionNote(try connection.ledgerEntry(RetentionNote.ledgerName)).retention ?? Retention()
    }
  }

  /// Other limits than those it was opened with.
  package func setLimits(_ retention: Retention) async throws(StoreError) {
    let share = try await queue.perform(isWrite: false) { try $0.setLimits(retention) }
    shareMax.store(share, ordering: .relaxed)
  }
}
