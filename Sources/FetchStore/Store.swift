/// A store that is open for reading.
///
/// Every read sees the store as of one instant, with all that was committed before the call, and
/// changes nothing. Any number of tasks may read at the same time. Reads throw what keeps them from
/// an answer (`missing`, `corrupt`, `newer`, `unreachable`, `replaced`), and `closed` after `close`.
///
/// The protocols are cut by who uses them: a run, the scheduler, the outbox and the transfers each know
/// one, and what is only read is apart from what is written, since most commands have no right to
/// write.
package protocol ReadableStore: HistoryStore, ScheduleReading, TransferReading, OutboxReading,
  GrantReading
{
  /// The address that messages call the store by.
  var address: StoreAddress { get }

  /// Looks for damage, and returns what was found, in the words of the store's kind; empty for a sound
  /// store. Reads the whole store.
  func check() async throws(StoreError) -> [String]
}

/// A store that is open for writing, by this process alone.
///
/// * A call that has returned has stored durably; a call that throws has stored nothing.
/// * Each call is one transaction. Calls of different tasks may share one, and none sees the half of
///   another.
/// * Commands are values: no code of the caller runs inside a transaction, and a store may carry out a
///   command several times until it succeeds, since each time comes to the same.
/// * Sequences are visible in the order of commits: whoever has read a change never finds one with a
///   lower sequence later.
/// * Besides what reads throw, writes throw `full`, `readOnly` and `rejected`.
package protocol Store: ReadableStore, RunStore, ScheduleStore, TransferStore, OutboxStore,
  GrantStore, UpkeepStore
{}
