package import FetchModel
package import FetchStore

extension TransferService {
  /// Ends a pending transfer; nil when there is none of that id.
  package func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard withState({ $0.machines[id]?.record.state.isPending }) == true else { return nil }
    await apply(.cancel(.cancelledTransfer), to: id)
    return try store.reader.transfer(id)
  }

  /// Lets a transfer that waits or has failed begin now; nil when there is none of that id.
  package func retry(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    if withState({ $0.machines[id] == nil }) {
      guard let record = try store.reader.transfer(id), record.state == .failed else { return nil }
      try await store.checkFree(record)
      withState { state in
        state.machines[id] = TransferMachine(record)
        state.forgotten.remove(id)
      }
    }
    await apply(.retry, to: id)
    return try store.reader.transfer(id)
  }
}

extension Failure {
  static let cancelledTransfer = Failure(.cancelled, "somebody cancelled the transfer")
}
