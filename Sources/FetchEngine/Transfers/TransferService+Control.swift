package import FetchModel
package import FetchStore

extension TransferService {
  /// Ends a pending transfer; nil when there is none of that id.
  package func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard isPending(id) else { return nil }
    await apply(.cancel(.cancelledTransfer), to: id)
    return try await store.transfer(id)
  }

  /// Lets a transfer that waits or has failed begin now; nil when there is none of that id.
  package func retry(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    let known = withState { $0.machines[id]?.record }
    let stored = known == nil ? try await store.transfer(id) : nil
    guard let record = known ?? stored, record.state != .done else { return nil }
    if record.state == .failed {
      try await store.checkFree(record, suggested: setup.pipeline.services.suggested)
    }
    if known == nil, record.state != .failed, !isPending(id) { return nil }
    await apply(.retry, to: id, reviving: record)
    return try await store.transfer(id)
  }

  private func isPending(_ id: Int64) -> Bool {
    withState { $0.machines[id]?.record.state.isPending ?? $0.queue.contains(id) }
  }
}

extension Failure {
  static let cancelledTransfer = Failure(.cancelled, "somebody cancelled the transfer")
}
