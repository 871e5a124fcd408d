internal import Dispatch
import FetchModel
package import FetchStore
import FetchValues
internal import Synchronization

/// A store in a PostgreSQL database that is open for writing. The right to write is a lock: see
/// `PostgresWriter`.
///
/// Most reads use a second connection. A call that finds its connection lost tries to connect
/// again.
package final class PostgresStore: Store, PostgresReading {
  package let address: StoreAddress
  package let reader: PostgresReader
  let openRuns = OpenRuns()
  let shareMax: Atomic<Int64>
  let lastTransferID: Atomic<Int64>
  private let recovery: StoreRecovery
  let queue = DispatchQueue(label: "fetchrun.store", qos: .userInitiated)
  // SAFETY: used only on `queue`.
  nonisolated(unsafe) let writer: PostgresWriter
  let commits = Mutex(PendingCommits())
  let opens = Mutex(PendingCalls<OpenedJob, JobSnapshot>())
  let notes = Mutex(PendingCalls<RunRecord, Void>())

  init(
    _ address: StoreAddress, _ writer: PostgresWriter, _ recovery: StoreRecovery,
    jobBytesMax: Int64
  ) {
    self.address = address
    self.writer = writer
    self.recovery = recovery
    shareMax = Atomic(jobBytesMax)
    lastTransferID = Atomic(writer.numbers.transfer)
    reader = PostgresReader(later: address, writer.server)
  }

  // The last reference may be released on the queue of the store or of its reader. Waiting for a
  // queue here could deadlock.
  deinit {
    nonisolated(unsafe) let writer = writer
    queue.async { writer.close() }
    reader.close()
  }

  package func recover() async throws(StoreError) -> StoreRecovery { recovery }

  package func close() async throws(StoreError) {
    await withCheckedContinuation { continuation in
      queue.async {
        repeat { self.drainCommits() } while self.commits.withLock { !$0.waiting.isEmpty }
        self.writer.close()
        continuation.resume()
      }
    }
    reader.close()
  }

  /// Executes a body that reads through the writing connection.
  func look<T: Sendable>(
    _ body: @escaping @Sendable (PostgresWriter, PostgresConnection) throws -> T
  ) async throws(StoreError) -> T {
    try await onQueue { writer throws(StoreError) in
      try writer.read { try body(writer, $0) }
    }
  }

  /// Executes a body that writes, in one transaction.
  func write<T: Sendable>(
    _ body:
      @escaping @Sendable (PostgresWriter, PostgresConnection, inout WriterNumbers) throws ->
      T
  ) async throws(StoreError) -> T {
    try await onQueue { writer throws(StoreError) in
      try writer.transaction { try body(writer, $0, &$1) }
    }
  }

  func onQueue<T: Sendable>(
    _ body: @escaping @Sendable (PostgresWriter) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      queue.async {
        do throws(StoreError) {
          continuation.resume(returning: .success(try body(self.writer)))
        } catch { continuation.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }
}
