package import FetchModel
import FetchValues

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

/// The address of a store: at present the path of its file.
///
/// Addresses are compared as texts, so one store may have several.
package struct StoreAddress: Hashable, Sendable {
  private let text: ExactText

  /// Returns the address of the store in that file, which need not exist yet.
  package static func file(_ path: String) -> StoreAddress {
    StoreAddress(text: ExactText(path))
  }

  /// The path of the store's file.
  package var path: String { text.text }
}

extension StoreAddress: CustomStringConvertible {
  /// The address as users type it and messages show it.
  package var description: String { path }
}

/// The options for opening a store for writing.
package struct StoreOptions: Sendable {
  /// The longest wait for another writing process.
  package var waitMax: Duration = .seconds(30)
  /// Whether a missing store is created.
  package var creates = true
  /// The retention and the maximum size; nil means those of the last config that named this store.
  package var retention: Retention?

  package init() {}
}

/// The repaired work that earlier processes left unfinished.
package struct StoreRecovery: Equatable, Sendable {
  /// Jobs with unfinished runs, now recorded as `abandoned`. Each opening of the store returns them
  /// again until `SchedulerMemory.rescued` contains them.
  package var abandonedJobs: [String]
  /// Transfers that were under way, now queued again.
  package var requeuedTransferCount: Int

  package init(abandonedJobs: [String] = [], requeuedTransferCount: Int = 0) {
    self.abandonedJobs = abandonedJobs
    self.requeuedTransferCount = requeuedTransferCount
  }
}
