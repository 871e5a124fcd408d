internal import Dispatch
import FetchModel
package import FetchStore
import FetchValues
internal import Synchronization

/// A store in a PostgreSQL database that is open for writing. The object holds the right to write
/// until `close` is called or the object is released.
///
/// Most reads use a second connection. While the server cannot be reached, calls throw
/// `unreachable`. The store connects again by itself.
package final class PostgresStore: Store, PostgresReading {
  package let address: StoreAddress
  package let reader: PostgresReader
  let openRuns = OpenRuns()
  let shareMax: Atomic<Int64>
  let lastTransferID: Atomic<Int64>
  private let recovery: StoreRecovery
  private let queue = DispatchQueue(label: "fetchrun.store", qos: .userInitiated)
  // SAFETY: used only on `queue`.
  private nonisolated(unsafe) let writer: PostgresWriter
  private let commits = Mutex(PendingCommits())

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
        self.drain()
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

  /// Executes a body on the writer's queue.
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

  // MARK: Commits

  /// Stores a commit, if possible in one transaction with other waiting commits.
  func store(_ commit: RunCommit) async throws(StoreError) -> CommitReceipt {
    let result: Result<CommitReceipt, StoreError> = await withCheckedContinuation { continuation in
      let mustStart = commits.withLock { commits in
        commits.waiting.append(PendingCommit(commit: commit) { continuation.resume(returning: $0) })
        defer { commits.isDraining = true }
        return !commits.isDraining
      }
      if mustStart { queue.async { self.drain() } }
    }
    return try result.get()
  }

  /// Stores one batch of the waiting commits. The remaining commits are stored after the calls that
  /// are already in the queue.
  private func drain() {
    let batch = commits.withLock { $0.next() }
    store(batch)
    let isMore = commits.withLock { commits in
      commits.isDraining = !commits.waiting.isEmpty
      return commits.isDraining
    }
    if isMore { queue.async { self.drain() } }
  }

  private func store(_ batch: [PendingCommit]) {
    if batch.isEmpty { return }
    do throws(StoreError) {
      let receipts = try writer.store(batch.map(\.commit), openRuns)
      for (pending, receipt) in zip(batch, receipts) { pending.end(.success(receipt)) }
    } catch {
      // If the data of a batch is rejected, each of its commits is stored separately.
      if batch.count == 1 || error.code != .rejected {
        for pending in batch { pending.end(.failure(error)) }
      } else {
        for pending in batch { store([pending]) }
      }
    }
  }
}

/// A commit that waits to be stored.
private struct PendingCommit: Sendable {
  var commit: RunCommit
  var end: @Sendable (Result<CommitReceipt, StoreError>) -> Void
}

private struct PendingCommits: Sendable {
  var waiting: [PendingCommit] = []
  var isDraining = false

  static let batchMax = 64

  /// Removes and returns the next batch. The commits of one job are in different batches.
  mutating func next() -> [PendingCommit] {
    var jobs: Set<JobName> = []
    var batch: [PendingCommit] = []
    var rest: [PendingCommit] = []
    for pending in waiting {
      if batch.count < Self.batchMax, jobs.insert(pending.commit.record.job).inserted {
        batch.append(pending)
      } else {
        rest.append(pending)
      }
    }
    waiting = rest
    return batch
  }
}
