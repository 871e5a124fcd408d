import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// The actions of people on the transfers of a store.
///
/// The rules are those of `TransferMachine` for every executor of the transfers. A service in this
/// process applies them itself, since it may have to stop an attempt first. Otherwise they are
/// applied to the record in the store, for the next process that uses the store.
package struct TransferCommands: Sendable {
  /// The part that changes the record of a transfer.
  private enum Executor: Sendable {
    case service(TransferService)
    /// - now: the time of the change.
    /// - folder: returns the folder of a job's files, as far as it is known.
    case store(now: @Sendable () -> Timestamp, folder: @Sendable (String) -> String)
  }

  private let store: any Store
  private let executor: Executor
  private let suggested: SuggestedCommand

  /// Creates the commands on a store whose transfers no service carries out now.
  ///
  /// - Parameters:
  ///   - suggested: makes the commands that messages suggest.
  ///   - folder: returns the folder of a job's files, as far as it is known.
  package init(
    store: any Store, now: @escaping @Sendable () -> Timestamp,
    suggested: SuggestedCommand = SuggestedCommand(), folder: @escaping @Sendable (String) -> String
  ) {
    self.store = store
    executor = .store(now: now, folder: folder)
    self.suggested = suggested
  }

  /// Creates the commands on the store whose transfers a service carries out.
  package init(_ service: TransferService) {
    store = service.store
    executor = .service(service)
    suggested = service.setup.pipeline.services.suggested
  }

  /// Ends a pending transfer; returns nil if there is none with that id.
  package func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard let record = try await record(id), record.state.isPending else { return nil }
    return try await apply(.cancel(.cancelledTransfer), to: record)
  }

  /// Makes a waiting or failed transfer due immediately; returns nil if there is none with that id.
  package func retry(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard let record = try await record(id) else { return nil }
    switch record.state {
    case .queued, .running: return record
    case .done: return nil
    case .failed: try await store.checkFree(record, suggested: suggested)
    case .waiting: break
    }
    return try await apply(.retry, to: record)
  }

  /// Reports that jobs were paused or resumed, or that their grants have changed.
  func standingsChanged() {
    if case .service(let service) = executor { service.standingsChanged() }
  }

  /// Returns the present record of a transfer; nil if there is none with that id.
  private func record(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    if case .service(let service) = executor, let known = service.known(id) { return known }
    return try await store.transfer(id)
  }

  private func apply(
    _ event: TransferEvent, to record: TransferRecord
  ) async throws(StoreError) -> TransferRecord? {
    switch executor {
    case .service(let service):
      // One that ends meanwhile must not be revived: only a failed one is revived from this record.
      await service.apply(event, to: record.id, reviving: record.state == .failed ? record : nil)
      return try await store.transfer(record.id)
    case .store(let now, let folder):
      var machine = TransferMachine(record)
      let actions = machine.handle(event, now: now(), chance: 0)
      guard try await store.update(machine.record) else { return nil }
      // A file that cannot be removed now is removed with the job's next transfer.
      if actions.contains(.discard) {
        try? FileRoot.removePartial(record.id, at: folder(record.job))
      }
      return machine.record
    }
  }

  // MARK: Requests

  /// Answers a request about transfers, one after the other. Reports the transfers for which it
  /// fails and changes the others.
  package func answer(
    _ action: ControlRequest.TransferCommand, _ ids: [Int64],
    line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    var problems: [String] = []
    for id in ids {
      do throws(StoreError) {
        let record = action == .cancel ? try await cancel(id) : try await retry(id)
        if let record {
          await line(record.line)
        } else {
          problems.append(Self.missing(action, id))
        }
      } catch {
        problems.append(error.message)
      }
    }
    return problems.isEmpty ? .done : .failed(problems.joined(separator: "; "))
  }

  private static func missing(_ action: ControlRequest.TransferCommand, _ id: Int64) -> String {
    switch action {
    case .cancel: "there is no pending transfer \(id)"
    case .retry: "there is no waiting or failed transfer \(id)"
    }
  }
}

extension Failure {
  static let cancelledTransfer = Failure(.cancelled, "the user cancelled the transfer")
}
