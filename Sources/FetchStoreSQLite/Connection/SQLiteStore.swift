package import FetchStore
internal import Synchronization

/// The store, opened to be written: holds the right to write for as long as it lives.
///
/// Safe to be used by any number of runs at the same time. What a returned call has stored is on
/// the disk; what threw has stored nothing.
package final class SQLiteStore: Sendable {
  /// Reads what was committed before the call, until the store is closed; waits its turn with the
  /// runs'.
  package let reader: StoreReader
  /// Jobs with a run that an earlier process left unfinished, now recorded as `abandoned`. They are
  /// named each time the store is opened, until `SchedulerMemory.rescued` names them.
  package var abandonedJobs: [String] { recovery.abandonedJobs }
  /// The work that was put right when the store was opened.
  let recovery: StoreRecovery
  private let lock: StoreLock
  let queue: WriteQueue
  let openRuns = OpenRuns()
  let shareMax: Atomic<Int64>

  /// The highest id of a transfer that was given; nil until one is asked for.
  let lastTransferID = Mutex<Int64?>(nil)

  init(
    reader: StoreReader, lock: StoreLock, queue: WriteQueue, recovery: StoreRecovery,
    jobBytesMax: Int64
  ) {
    shareMax = Atomic(jobBytesMax)
    self.reader = reader
    self.recovery = recovery
    self.lock = lock
    self.queue = queue
  }

  /// The connection first, then the lock: nobody else may write before this one has ended.
  deinit { try? queue.close() }

  package var path: String { reader.path }

  /// Gives the room that pruning has left in the file back to the disk, where that is much. Needs as
  /// much room on the disk meanwhile as what is kept takes. Nobody else uses the store meanwhile.
  package func compact() async throws(StoreError) {
    do { try queue.compact() } catch { throw StoreError(error, path: path) }
  }

  /// Waits for what is being written, then lets go of the store. Every later call throws `closed`.
  package func close() async throws(StoreError) {
    defer { lock.release() }
    do { try queue.close() } catch { throw StoreError(error, path: path) }
  }
}
