import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// The transfers of a store that nobody carries out now: what people do to them is written down for
/// whoever does so next.
package struct StoredTransfers: Sendable {
  private let store: any Store
  private let now: @Sendable () -> Timestamp
  private let folder: @Sendable (String) -> String
  private let suggested: SuggestedCommand

  /// - Parameters:
  ///   - suggested: makes the commands that messages suggest.
  ///   - folder: where a job has its files, as far as is known.
  package init(
    store: any Store, now: @escaping @Sendable () -> Timestamp,
    suggested: SuggestedCommand = SuggestedCommand(), folder: @escaping @Sendable (String) -> String
  ) {
    self.store = store
    self.now = now
    self.folder = folder
    self.suggested = suggested
  }

  /// Ends a pending transfer; nil when there is none of that id.
  package func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard let record = try await store.transfer(id), record.state.isPending else { return nil }
    guard let ended = try await handle(.cancel(.cancelledTransfer), record) else { return nil }
    // What cannot be removed goes with the job's next transfer.
    try? FileRoot.removePartial(id, at: folder(ended.job))
    return ended
  }

  /// Lets a transfer that waits or has failed begin as soon as somebody carries it out; nil when there
  /// is none of that id.
  package func retry(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard let record = try await store.transfer(id) else { return nil }
    switch record.state {
    case .queued, .running: return record
    case .done: return nil
    case .failed: try await store.checkFree(record, suggested: suggested)
    case .waiting: break
    }
    return try await handle(.retry, record)
  }

  /// Nobody carries them out.
  package func standingsChanged() {}

  private func handle(
    _ event: TransferEvent, _ record: TransferRecord
  ) async throws(StoreError) -> TransferRecord? {
    var machine = TransferMachine(record)
    _ = machine.handle(event, now: now(), chance: 0)
    return try await store.update(machine.record) ? machine.record : nil
  }
}
