import FetchModel
package import FetchStore
package import FetchValues
internal import Synchronization

/// A store that is open for writing. The object holds the right to write until `close` is called or
/// the object is released.
///
/// Any number of runs may use the object at the same time.
package final class SQLiteStore: Sendable {
  /// The reader that shares this store's connection. Reads and writes are executed one after the
  /// other.
  package let reader: StoreReader
  /// The jobs whose abandoned runs were not acknowledged when the store was opened: see
  /// `StoreRecovery.abandonedJobs`.
  package var abandonedJobs: [JobName] { recovery.abandonedJobs }
  /// The repairs that were made when the store was opened.
  let recovery: StoreRecovery
  private let lock: StoreLock
  let queue: WriteQueue
  let openRuns = OpenRuns()
  let shareMax: Atomic<Int64>
  /// The time at which the disk last had space: see `checkRoom`.
  let hadRoomAt = Mutex<ContinuousClock.Instant?>(nil)

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

  /// Closes the connection before the lock is released, unless the store's files were lost.
  /// Otherwise another process could write while the connection is still open.
  deinit { try? queue.close() }

  package var path: String { reader.path }

  /// Frees the disk space that pruning has left unused, if at least a tenth of the store's pages is
  /// free. The operation may need up to twice as much additional disk space as the kept data. Other
  /// calls wait until the operation has ended.
  package func compact() async throws(StoreError) {
    do { try queue.compact() } catch { throw StoreError(error, path: path) }
  }

  /// Waits for pending writes, then closes the store. Later calls throw `closed`, unless a disk
  /// error has made the store unusable.
  package func close() async throws(StoreError) {
    defer { lock.release() }
    do { try queue.close() } catch { throw StoreError(error, path: path) }
  }
}
