package import FetchModel
package import FetchValues

/// The functions that read transfers. Runs request transfers, and `RunStore.commit` queues them.
package protocol TransferReading: Sendable {
  /// Returns the pending transfers in the order of their requests, then the ended transfers, the
  /// last updated first.
  ///
  /// - Parameter endedLimit: the maximum number of ended transfers; nil for all.
  func transfers(job: JobName?, endedLimit: Int?) async throws(StoreError) -> [TransferRecord]

  /// Returns the transfers that still need work and have an id higher than `id`, in the order of
  /// their requests. They are the pending transfers, and the ended transfers of which the plugin
  /// must still be notified. `limit` is the maximum number of transfers; nil for all.
  func openTransfers(after id: Int64, limit: Int?) async throws(StoreError) -> [TransferRecord]

  /// Returns the ids of all transfers that still need work, in the order of their requests.
  func openTransferIDs() async throws(StoreError) -> [Int64]

  /// Whether a job has a transfer that still needs work.
  func hasOpenTransfers(of job: JobName) async throws(StoreError) -> Bool

  /// Returns the present record of a transfer; nil if the transfer does not exist.
  func transfer(_ id: Int64) async throws(StoreError) -> TransferRecord?
}

/// The functions that write the transfers of a store.
package protocol TransferStore: TransferReading {
  /// Returns an id for a new transfer. While the store is open, no id is returned twice, even if no
  /// commit uses it.
  func newTransferID() async throws(StoreError) -> Int64

  /// Returns the pending transfers of a job to the given paths. Each path has at most one pending
  /// transfer.
  func pendingTransfers(
    of job: JobName, to paths: [FilePath]
  ) async throws(StoreError) -> [FilePath: TransferRecord]

  /// Stores a transfer's state. Returns false if the transfer no longer exists, for example because
  /// another transfer has replaced it.
  func update(_ transfer: TransferRecord) async throws(StoreError) -> Bool
}

extension TransferStore {
  /// Returns the pending transfer of a job to the given path; nil if there is none.
  package func pendingTransfer(
    of job: JobName, to path: FilePath
  ) async throws(StoreError) -> TransferRecord? {
    try await pendingTransfers(of: job, to: [path])[path]
  }

  /// Throws `rejected` if the job has another pending transfer to the path of `transfer`.
  package func checkFree(
    _ transfer: TransferRecord, suggested: SuggestedCommand
  ) async throws(StoreError) {
    let other = try await pendingTransfer(of: transfer.job, to: transfer.request.to)
    guard let other, other.id != transfer.id else { return }
    throw StoreError(
      .rejected,
      "transfer \(other.id) of the job '\(transfer.job)' is pending for the same file"
        + " '\(transfer.request.to.text)': "
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
