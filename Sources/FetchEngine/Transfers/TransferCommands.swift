import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// The commands with which people cancel and retry the transfers of a store.
///
/// Every change follows the rules of `TransferMachine`. If a service in this process carries out
/// the transfers, the service makes the change, since it may have to stop an attempt first.
/// Otherwise the commands change the record in the store, for the next process that uses the store.
package struct TransferCommands: Sendable {
  /// The code that changes the records of transfers: the service, or the commands themselves.
  private enum Executor: Sendable {
    case service(TransferService)
    /// The commands change the record in the store.
    ///
    /// - now: the time of the change.
    /// - folder: returns the folder of a job's files; the default folder if the job's own setting
    ///   is not known.
    case store(now: @Sendable () -> Timestamp, folder: @Sendable (JobName) -> String)
  }

  private let store: any Store
  private let executor: Executor
  private let suggested: SuggestedCommand

  /// Creates the commands for a store whose transfers this process does not carry out.
  ///
  /// - Parameters:
  ///   - suggested: makes the commands that messages suggest.
  ///   - folder: returns the folder of a job's files; the default folder if the job's own setting
  ///     is not known.
  package init(
    store: any Store, now: @escaping @Sendable () -> Timestamp,
    suggested: SuggestedCommand = SuggestedCommand(),
    folder: @escaping @Sendable (JobName) -> String
  ) {
    self.store = store
    executor = .store(now: now, folder: folder)
    self.suggested = suggested
  }

  /// Creates the commands for the transfers that the given service carries out.
  package init(_ service: TransferService) {
    store = service.store
    executor = .service(service)
    suggested = service.setup.pipeline.services.suggested
  }

  /// Cancels a pending transfer and returns its record. Returns nil if there is no pending transfer
  /// with the id.
  package func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard let record = try await record(id), record.state.isPending else { return nil }
    let after = try await apply(.cancel(.cancelledTransfer), to: record)
    // The file may have been placed before its attempt could be stopped.
    return after?.state == .done ? nil : after
  }

  /// Makes a waiting or failed transfer due immediately and returns its record. Returns a queued or
  /// running transfer unchanged. Returns nil if the transfer is done or does not exist. Throws if
  /// the transfer has failed and another pending transfer of the job has the same target path.
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

  /// Notifies the service that jobs were paused or resumed, or that their grants have changed. Does
  /// nothing if no service of this process carries out the transfers.
  func standingsChanged() {
    if case .service(let service) = executor { service.standingsChanged() }
  }

  private func record(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    if case .service(let service) = executor, let known = service.known(id) { return known }
    return try await store.transfer(id)
  }

  private func apply(
    _ event: TransferEvent, to record: TransferRecord
  ) async throws(StoreError) -> TransferRecord? {
    switch executor {
    case .service(let service):
      // Only a retry of a failed transfer may revive it. A transfer that has ended since `record`
      // was read must not be revived.
      await service.apply(event, to: record.id, reviving: record.state == .failed ? record : nil)
      return try await store.transfer(record.id)
    case .store(let now, let folder):
      var machine = TransferMachine(record)
      let actions = machine.handle(event, now: now(), chance: 0)
      guard try await store.update(machine.record) else { return nil }
      // If the file cannot be removed now, `TransferService.sweptRoot` removes it later.
      if actions.contains(.discard) {
        try? FileRoot.removePartial(record.id, at: folder(record.job))
      }
      return machine.record
    }
  }

  // MARK: Requests

  /// Cancels or retries the transfers with the given ids, one after the other. If a transfer cannot
  /// be changed, continues with the next one and reports the failure at the end.
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

/// The handler of requests to a command that only waits for its transfers. With this handler, other
/// processes can cancel and retry these transfers before the command releases the store.
package struct TransferHandler: ControlHandler {
  private let transfers: TransferCommands

  package init(_ transfers: TransferCommands) { self.transfers = transfers }

  package func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard case .transfers(let deed, let ids) = request else {
      return .failed(
        "the process that uses this store can only cancel and retry transfers; try again when it"
          + " has ended")
    }
    return await transfers.answer(deed, ids, line: line)
  }
}

extension TransferRecord {
  /// The transfer's line in the answer to a request: the JSON object that
  /// `fetchrun transfers --json` prints.
  package var line: Value { (try? JSONReader.decode(json)) ?? .null }
}
