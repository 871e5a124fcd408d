package import FetchModel
package import FetchStore
package import FetchValues

extension MemoryStore {
  package func transfers(
    job: JobName?, endedLimit: Int?
  ) throws(StoreError) -> [TransferRecord] {
    try with { state in
      let all = state.transfers.values.filter { transfer in
        job.map { transfer.job == $0 } ?? true
      }
      let pending = all.filter(\.state.isPending).sorted { $0.id < $1.id }
      let ended = all.filter { !$0.state.isPending }
        .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
      return pending + ended.prefix(endedLimit ?? .max)
    }
  }

  package func openTransfers(
    after id: Int64, limit: Int?
  ) throws(StoreError) -> [TransferRecord] {
    try with { state in
      let open = state.transfers.values.filter { !$0.isTold && $0.id > id }
      return Array(open.sorted { $0.id < $1.id }.prefix(limit ?? .max))
    }
  }

  package func openTransferIDs() throws(StoreError) -> [Int64] {
    try openTransfers(after: 0, limit: nil).map(\.id)
  }

  package func hasOpenTransfers(of job: JobName) throws(StoreError) -> Bool {
    try openTransfers(after: 0, limit: nil).contains { $0.job == job }
  }

  package func transfer(_ id: Int64) throws(StoreError) -> TransferRecord? {
    try with { $0.transfers[id] }
  }

  package func newTransferID() throws(StoreError) -> Int64 {
    try with { state in
      state.lastTransferID += 1
      return state.lastTransferID
    }
  }

  package func pendingTransfers(
    of job: JobName, to paths: [FilePath]
  ) throws(StoreError) -> [FilePath: TransferRecord] {
    try with { state in
      var found: [FilePath: TransferRecord] = [:]
      for transfer in state.transfers.values
      where transfer.state.isPending && transfer.job == job
        && paths.contains(transfer.request.to)
      {
        found[transfer.request.to] = transfer
      }
      return found
    }
  }

  package func update(_ transfer: TransferRecord) throws(StoreError) -> Bool {
    try with { state in
      guard state.transfers[transfer.id] != nil else { return false }
      state.transfers[transfer.id] = transfer
      return true
    }
  }
}
