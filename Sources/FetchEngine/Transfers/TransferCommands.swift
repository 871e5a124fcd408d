import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// What people do to the transfers of a store.
///
/// The rules are those of `TransferMachine`, whoever carries the transfers out. A service in this
/// process applies them itself, since it may have to stop an attempt first; otherwise they are
/// applied to the record in the store, for the process that has the store next.
package struct TransferCommands: Sendable {
  /// Who changes the record of a transfer.
  private enum Executor: Sendable {
    case service(TransferService)
    /// - now: the time of the change.
    /// - folder: returns where a job has its files, as far as is known.
    case store(now: @Sendable () -> Timestamp, folder: @Sendable (String) -> String)
  }

  private let store: any Store
  private let executor: Executor
  private let suggested: SuggestedCommand

  /// The commands on a store whose transfers nothing carries out now.
  ///
  /// - Parameters:
  ///   - suggested: makes the commands that messages suggest.
  ///   - folder: where a job has its files, as far as is known.
  package init(
    store: any Store, now: @escaping @Sendable () -> Timestamp,
    suggested: SuggestedCommand = SuggestedCommand(), folder: @escaping @Sendable (String) -> String
  ) {
    self.store = store
    executor = .store(now: now, folder: folder)
    self.suggested = suggested
  }

  /// The commands on the store whose transfers a service carries out.
  package init(_ service: TransferService) {
    store = service.store
    executor = .service(service)
    suggested = service.setup.pipeline.services.suggested
  }

  /// Ends a pending transfer; nil when there is none of that id.
  package func cancel(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    guard let record = try await record(id), record.state.isPending else { return nil }
    return try await apply(.cancel(.cancelledTransfer), to: record)
  }

  /// Lets a transfer that waits or has failed begin as soon as somebody carries it out; nil when there
  /// is none of that id.
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

  /// Jobs were paused or resumed, or their grants have changed.
  func standingsChanged() {
    if case .service(let service) = executor { service.standingsChanged() }
  }

  /// A transfer as it stands; nil when there is none of that id.
  private func record(_ id: Int64) async throws(StoreError) -> TransferRecord? {
    if case .service(let service) = executor, let known = service.known(id) { return known }
    return try await store.transfer(id)
  }

  private func apply(
    _ event: TransferEvent, to record: TransferRecord
  ) async throws(StoreError) -> TransferRecord? {
    switch executor {
    case .service(let service):
      // One that ends meanwhile must not be revived: only one that has failed is taken as it was read.
      await service.apply(event, to: record.id, reviving: record.state == .failed ? record : nil)
      return try await store.transfer(record.id)
    case .store(let now, let folder):
      var machine = TransferMachine(record)
      let actions = machine.handle(event, now: now(), chance: 0)
      guard try await store.update(machine.record) else { return nil }
      // What cannot be removed goes with the job's next transfer.
      if actions.contains(.discard) {
        try? FileRoot.removePartial(record.id, at: folder(record.job))
      }
      return machine.record
    }
  }

  // MARK: Requests

  /// Answers a request about transfers, one after the other; what cannot be done for one is said, and
  /// the others are done.
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
    case .retry: "there is no transfer \(id) that waits or has failed"
    }
  }
}

extension Failure {
  static let cancelledTransfer = Failure(.cancelled, "somebody cancelled the transfer")
}
