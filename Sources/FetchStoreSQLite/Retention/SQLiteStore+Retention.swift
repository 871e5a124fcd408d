package import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

extension SQLiteStore {
  /// Applies retention to the whole store in small steps. Returns the number of removed rows.
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

  /// Performs one small step of retention if retention is due. Retention is due once a day, and
  /// once an hour while space is short. The store keeps the due time and the progress.
  ///
  /// - Parameter retention: the retention of the config; nil means the retention of the last
  ///   config.
  package func keepUp(
    _ retention: Retention?, now: Timestamp
  ) async throws(StoreError) -> RetentionProgress {
    try await queue.perform(isWrite: true) { try $0.keepUp(retention, now: now) }
  }

  /// The maximum size in bytes of one job's items: see `Retention.jobBytesMax`.
  package var jobBytesMax: Int64 { shareMax.load(ordering: .relaxed) }

  /// Returns the retention of the last config that used this store. Returns the default retention
  /// if there is none.
  package func retention() async throws(StoreError) -> Retention {
    try await queue.perform(isWrite: false) { connection in
      RetentionNote(try connection.ledgerEntry(RetentionNote.ledgerName)).retention ?? Retention()
    }
  }

  /// Replaces the limits that were set when the store was opened.
  package func setLimits(_ retention: Retention) async throws(StoreError) {
    let share = try await queue.perform(isWrite: false) { try $0.setLimits(retention) }
    shareMax.store(share, ordering: .relaxed)
  }
}
