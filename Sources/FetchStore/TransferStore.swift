package import FetchModel

/// The transfers that runs have requested. `RunStore.commit` queues them.
package protocol TransferReading: Sendable {
  /// Returns the pending transfers in the order of their requests, then the ended ones, newest
  /// first.
  ///
  /// - Parameter endedLimit: the maximum number of ended ones; nil for all.
  func transfers(job: String?, endedLimit: Int?) async throws(StoreError) -> [TransferRecord]

  /// Returns the transfers that still need work, in the order of their requests: pending ones, and
  /// ended ones of which the plugin has not been notified.
  func openTransfers(after id: Int64, limit: Int?) async throws(StoreError) -> [TransferRecord]

  /// Returns the ids of all `openTransfers`, in the same order.
  func openTransferIDs() async throws(StoreError) -> [Int64]

  /// Whether a job has one of `openTransfers`.
  func hasOpenTransfers(of job: String) async throws(StoreError) -> Bool

  /// Returns the present record of a transfer; nil if there is none.
  func transfer(_ id: Int64) async throws(StoreError) -> TransferRecord?
}

/// Writes the transfers of a store.
package protocol TransferStore: TransferReading {
  /// Returns a new id for a transfer, never returned before. An id that is not committed is lost.
  func newTransferID() async throws(StoreError) -> Int64

  /// Returns the pending transfers of a job to these paths, at most one for each path.
  func pendingTransfers(
    of job: String, to paths: [FilePath]
  ) async throws(StoreError) -> [FilePath: TransferRecord]

  /// Stores a transfer's state; returns false if another transfer has replaced it.
  func update(_ transfer: TransferRecord) async throws(StoreError) -> Bool
}

extension TransferStore {
  /// Returns the pending transfer of a job to that path.
  package func pendingTransfer(
    of job: String, to path: FilePath
  ) async throws(StoreError) -> TransferRecord? {
    try await pendingTransfers(of: job, to: [path])[path]
  }

  /// Throws `rejected` if another transfer is pending for the path of an ended one.
  package func checkFree(
    _ transfer: TransferRecord, suggested: SuggestedCommand
  ) async throws(StoreError) {
    let other = try await pendingTransfer(of: transfer.job, to: transfer.request.to)
    guard let other, other.id != transfer.id else { return }
    throw StoreError(
      .rejected,
      "transfer \(other.id) already fetches \(transfer.request.to.text) for the job '\(transfer.job)': "
        + "cancel it first (\(suggested.command("transfers cancel \(other.id)")))")
  }
}

/// A transfer to queue, with the id that the plugin received.
package struct QueuedTransfer: Equatable, Sendable {
  package var id: Int64
  package var request: TransferRequest

  package init(id: Int64, request: TransferRequest) {
    self.id = id
    self.request = request
  }
}
