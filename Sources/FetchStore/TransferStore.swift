package import FetchModel

/// The transfers that runs have asked for. They are queued by `RunStore.commit`.
package protocol TransferReading: Sendable {
  /// Returns the pending transfers in the order in which they were asked for, then those that ended,
  /// the latest first.
  ///
  /// - Parameter endedLimit: how many of the ended ones at most; nil for all.
  func transfers(job: String?, endedLimit: Int?) async throws(StoreError) -> [TransferRecord]

  /// Returns the transfers for which something is still to be done, in the order in which they were
  /// asked for: those that are pending, and ended ones of which the plugin has not been notified.
  func openTransfers(after id: Int64, limit: Int?) async throws(StoreError) -> [TransferRecord]

  /// Returns the ids of all of `openTransfers`, in their order.
  func openTransferIDs() async throws(StoreError) -> [Int64]

  /// Whether a job has one of `openTransfers`.
  func hasOpenTransfers(of job: String) async throws(StoreError) -> Bool

  /// Returns a transfer as it stands; nil where there is none.
  func transfer(_ id: Int64) async throws(StoreError) -> TransferRecord?
}

/// The transfers of a store, for those who carry them out.
package protocol TransferStore: TransferReading {
  /// Returns an id for a transfer to come, never returned before. One that is not committed is lost.
  func newTransferID() async throws(StoreError) -> Int64

  /// Returns the transfers of a job to these paths that are still to be done; of each path there is one
  /// at most.
  func pendingTransfers(
    of job: String, to paths: [FilePath]
  ) async throws(StoreError) -> [FilePath: TransferRecord]

  /// Writes down how a transfer stands; false where it is gone, since another took its place.
  func update(_ transfer: TransferRecord) async throws(StoreError) -> Bool
}

extension TransferStore {
  /// Returns the transfer of a job to that path that is still to be done.
  package func pendingTransfer(
    of job: String, to path: FilePath
  ) async throws(StoreError) -> TransferRecord? {
    try await pendingTransfers(of: job, to: [path])[path]
  }

  /// Throws `rejected` where another transfer is pending for the path of one that has ended.
  package func checkFree(
    _ transfer: TransferRecord, suggested: SuggestedCommand
  ) async throws(StoreError) {
    let other = try await pendingTransfer(of: transfer.job, to: transfer.request.to)
    guard let other, other.id != transfer.id else { return }
    throw StoreError(
      .rejected,
      "transfer \(other.id) brings \(transfer.request.to.text) of the job '\(transfer.job)' already: "
        + "cancel it first (\(suggested.command("transfers cancel \(other.id)")))")
  }
}

/// A transfer to be queued, with the id that the plugin was given for it.
package struct QueuedTransfer: Equatable, Sendable {
  package var id: Int64
  package var request: TransferRequest

  package init(id: Int64, request: TransferRequest) {
    self.id = id
    self.request = request
  }
}
