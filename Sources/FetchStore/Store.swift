package import FetchModel
import FetchValues

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

/// The place of a store: today the path of its file.
///
/// Two addresses are equal where their texts are: one store may have several.
package struct StoreAddress: Hashable, Sendable {
  private let text: ExactText

  /// The store in that file, which need not exist yet.
  package static func file(_ path: String) -> StoreAddress {
    StoreAddress(text: ExactText(path))
  }

  /// The path of the store's file.
  package var path: String { text.text }
}

extension StoreAddress: CustomStringConvertible {
  /// The address as users type it, and as messages name the store.
  package var description: String { path }
}

/// How a store is opened for writing.
package struct StoreOptions: Sendable {
  /// How long to wait for another process that writes.
  package var waitMax: Duration = .seconds(30)
  /// Whether a store is made where there is none.
  package var creates = true
  /// What is kept, and how large it may become; nil: as the last config had it that named this store.
  package var retention: Retention?

  package init() {}
}

/// The work that earlier processes had left unfinished, and that was put right.
package struct StoreRecovery: Equatable, Sendable {
  /// Jobs with runs that nobody ended, now recorded as `abandoned`. They are named each time the store
  /// is opened, until `SchedulerMemory.rescued` names them.
  package var abandonedJobs: [String]
  /// Transfers that were under way, now queued again.
  package var requeuedTransferCount: Int

  package init(abandonedJobs: [String] = [], requeuedTransferCount: Int = 0) {
    self.abandonedJobs = abandonedJobs
    self.requeuedTransferCount = requeuedTransferCount
  }
}
