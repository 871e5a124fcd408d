package import FetchStore
package import FetchValues
internal import Synchronization

/// A store that is open for writing. The object holds the right to write until `close` is called or
/// the object is released.
///
/// Any number of runs may use the object at the same time. When a call returns, its changes are
/// durable. A call that throws has stored nothing, except `prune`.
package final class SQLiteStore: Sendable {
  /// The reader of this store. Until the store is closed, each call of the reader sees everything
  /// that was committed before the call. The calls of the reader and of runs are executed one after
  /// the other.
  package let reader: StoreReader
  /// The jobs with runs that earlier processes did not finish. These runs are now recorded as
  /// `abandoned`. Each later opening of the store returns these jobs again, until the scheduler
  /// acknowledges the runs: see `SchedulerMemory.rescued`.
  package var abandonedJobs: [JobName] { recovery.abandonedJobs }
  /// The repairs that were made when the store was opened, because earlier processes had left work
  /// unfinished.
  let recovery: StoreRecovery
  private let lock: StoreLock
  let queue: WriteQueue
  let openRuns = OpenRuns()
  let shareMax: Atomic<Int64>

  /// The highest transfer id that was assigned; nil until the first id is needed.
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

  /// Closes the connection before the lock is released. Otherwise another process could write while
  /// the connection is still open.
  deinit { try? queue.close() }

  package var path: String { reader.path }

  /// Frees the disk space that pruning has left unused, if at least a tenth of the store's pages is
  /// free. The operation may need up to twice as much additional disk space as the kept data. Other
  /// calls wait until the operation has ended.
  package func compact() async throws(StoreError) {
    do { try queue.compact() } catch { throw StoreError(error, path: path) }
  }

  /// Waits for pending writes, then closes the store. Later calls throw `closed`, unless the store
  /// was already unusable after a disk error.
  package func close() async throws(StoreError) {
    defer { lock.release() }
    do { try queue.close() } catch { throw StoreError(error, path: path) }
  }
}
