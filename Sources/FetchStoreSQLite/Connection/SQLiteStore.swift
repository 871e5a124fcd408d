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
  /// The jobs whose unfinished runs are now recorded as `abandoned`: see
  /// `StoreRecovery.abandonedJobs`.
  package var abandonedJobs: [JobName] { recovery.abandonedJobs }
  /// The repairs that were made when the store was opened.
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

/// The jobs with an active run: their leases, and the rows of their runs.
///
/// This type is a separate class, because closures on the connection's queue must not have a
/// reference to the store. If such a closure released the last reference to the store, the store's
/// `deinit` would wait for the queue on which it runs.
final class OpenRuns: Sendable {
  private struct OpenRun {
    var run: RunID
    /// The number of the run's row in the table `runs`; nil until the row is inserted.
    var number: Int64?
    /// Whether the run has begun to store something. The run then needs no note that it has begun.
    var isWritten = false
  }

  private let runs = Mutex<[JobName: OpenRun]>([:])

  var count: Int { runs.withLock(\.count) }

  /// Takes the lease of a job for a run. Returns false if another run of the job has the lease.
  func begin(_ run: RunID, of job: JobName) -> Bool {
    runs.withLock { runs in
      guard runs[job] == nil else { return false }
      runs[job] = OpenRun(run: run)
      return true
    }
  }

  func end(_ run: RunID, of job: JobName) {
    change(run, of: job) { $0 = nil }
  }

  func setRow(_ number: Int64, of run: RunID, of job: JobName) {
    change(run, of: job) { $0?.number = number }
  }

  func hasRow(_ job: JobName) -> Bool { runs.withLock { $0[job]?.number != nil } }

  func isUnwritten(_ run: RunID, of job: JobName) -> Bool {
    var isUnwritten = false
    change(run, of: job) { isUnwritten = $0?.isWritten == false }
    return isUnwritten
  }

  /// Records that a run is about to store something. Returns the number of the run's row; nil if
  /// the run has no row yet. Call this function on the connection's queue. Otherwise a note that
  /// the run has begun could insert a second row.
  func rowToWrite(_ run: RunID, of job: JobName) -> Int64? {
    var number: Int64?
    change(run, of: job) { open in
      open?.isWritten = true
      number = open?.number
    }
    return number
  }

  private func change(_ run: RunID, of job: JobName, _ body: (inout OpenRun?) -> Void) {
    runs.withLock { runs in
      if runs[job]?.run == run { body(&runs[job]) }
    }
  }
}
