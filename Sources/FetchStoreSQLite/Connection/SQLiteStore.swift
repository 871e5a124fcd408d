package import FetchStore
internal import Synchronization

/// A store that is open for writing. It holds the right to write as long as it exists.
///
/// Any number of runs may use it at the same time. A call that has returned has stored durably; a
/// call that throws has stored nothing.
package final class SQLiteStore: Sendable {
  /// A reader of everything committed before the call, until the store is closed. Its calls take
  /// turns with the runs.
  package let reader: StoreReader
  /// Jobs with a run that an earlier process left unfinished, now recorded as `abandoned`. Each
  /// opening of the store returns them again until `SchedulerMemory.rescued` contains them.
  package var abandonedJobs: [String] { recovery.abandonedJobs }
  /// The work that was repaired when the store was opened.
  let recovery: StoreRecovery
  private let lock: StoreLock
  let queue: WriteQueue
  let openRuns = OpenRuns()
  let shareMax: Atomic<Int64>

  /// The highest assigned id of a transfer; nil before its first use.
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

  /// Closes the connection, then releases the lock: no other process may write before.
  deinit { try? queue.close() }

  package var path: String { reader.path }

  /// Frees the disk space that pruning has left unused, if it is much. Temporarily needs as much
  /// disk space as the kept data. The store is not available meanwhile.
  package func compact() async throws(StoreError) {
    do { try queue.compact() } catch { throw StoreError(error, path: path) }
  }

  /// Waits for pending writes, then closes the store. Every later call throws `closed`.
  package func close() async throws(StoreError) {
    defer { lock.release() }
    do { try queue.close() } catch { throw StoreError(error, path: path) }
  }
}
