/// A store that is open for reading.
///
/// Every read sees the store at one instant, with everything committed before the call, and changes
/// nothing. Any number of tasks may read at the same time. Reads throw the reason for a missing
/// answer (`missing`, `corrupt`, `newer`, `unreachable`, `replaced`), and `closed` after `close`.
///
/// The protocols follow their users: a run, the scheduler, the outbox and the transfers each need
/// one. Reading and writing are separate, since most commands may not write.
package protocol ReadableStore: HistoryStore, ScheduleReading, TransferReading, OutboxReading,
  GrantReading
{
  /// The address by which messages name the store.
  var address: StoreAddress { get }

  /// Checks the whole store for damage and returns the problems in the words of its kind; empty if
  /// it is sound.
  func check() async throws(StoreError) -> [String]
}

/// A store that is open for writing, by this process only.
///
/// * A call that has returned has stored durably; a call that throws has stored nothing.
/// * Each call is one transaction. Calls of different tasks may share one, and none sees a part of
///   another.
/// * Commands are values: no code of the caller runs inside a transaction. A store may execute a
///   command several times until it succeeds, since the result is always the same.
/// * Sequences become visible in the order of commits: after a reader has seen a change, no change
///   with a lower sequence appears.
/// * In addition to the errors of reads, writes throw `full`, `readOnly` and `rejected`.
package protocol Store: ReadableStore, RunStore, ScheduleStore, TransferStore, OutboxStore,
  GrantStore, UpkeepStore
{}
