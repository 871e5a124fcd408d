package import FetchModel
package import FetchStore
package import FetchValues

/// The answers to requests on a store that no daemon serves.
///
/// This type changes transfers, deliveries and grants, and shows the overview. All other requests
/// fail here. `StoredJobs` answers some of them.
package struct StoreControl: ControlHandler {
  private let store: StoreAddress
  private let reader: any ReadableStore
  private let transfers: TransferCommands
  private let deliveries: DeliveryCommands
  private let grants: GrantBook
  private let time: RunTime
  private let suggested: SuggestedCommand

  /// - Parameters:
  ///   - rates: the delivery rates of the hooks, as far as the caller knows these rates.
  ///   - suggested: makes the commands that messages suggest.
  ///   - folder: returns the folder of a job's files, or nil if the job uses the default folder.
  package init(
    _ store: any Store, rates: HookRates = .unknown, time: RunTime = .system,
    suggested: SuggestedCommand, folder: @escaping @Sendable (JobName) -> String? = { _ in nil }
  ) {
    self.store = store.address
    reader = store
    self.time = time
    self.suggested = suggested
    grants = GrantBook(store: store, suggested: suggested)
    let state = StateFolder(of: store.address)
    transfers = TransferCommands(store: store, now: time.now, suggested: suggested) { job in
      folder(job) ?? state.files(of: job)
    }
    deliveries = DeliveryCommands(store: store, rates: rates, now: time.now)
  }

  package func answer(
    _ request: ControlRequest, line: @escaping @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    switch request {
    case .transfers(let action, let ids): return await transfers.answer(action, ids, line: line)
    case .deliveries(let action, let ids): return await deliveries.answer(action, ids, line: line)
    case .grant(let holder, let grant, let manifestName):
      do throws(StoreError) { try await keep(grant, of: holder, manifestName) } catch {
        return .failed(error.message)
      }
      await line(GrantLine(holder, hash: grant.hash, isDue: false).value)
      return .done
    case .overview:
      do throws(StoreError) { await line(try await OverviewLine(of: reader).value) } catch {
        return .failed(error.message)
      }
      return .done
    case .status, .explain, .budget, .pause, .resume, .push, .run, .guest, .reload, .plan, .lanes,
      .doctor, .metrics, .watch, .permissions, .agree, .pushRule, .subscriptions, .renew,
      .subscription:
      return .noDaemon(on: store, suggested)
    }
  }

  private func keep(
    _ grant: PinnedGrant, of holder: GrantHolder, _ manifestName: PluginName
  ) async throws(StoreError) {
    switch holder {
    case .job(let job):
      _ = try await grants.keep(
        grant, of: job, manifestName: manifestName, scheduled: { nil }, now: time.now())
    case .hook(let hook):
      try await grants.keep(grant, ofHook: hook)
      try await deliveries.release(hook)
    }
  }
}

extension ControlEnd {
  /// Returns the failure of a request that is not answered because no daemon serves the store.
  package static func noDaemon(on store: StoreAddress, _ suggested: SuggestedCommand) -> ControlEnd
  {
    .failed("no daemon is running on \(store); start one: \(suggested.command("serve"))")
  }
}

extension ControlRequest {
  /// The data that a command needs to carry out a request if no daemon serves the store.
  package enum Substitute: Sendable {
    /// The jobs of the config, in the state that the store contains: see `StoredJobs`.
    case jobs
    /// The store, open for writing: see `StoreControl`.
    case store
  }

  /// The data with which a command carries out the request without a daemon. Nil if the request
  /// needs a daemon.
  package var substitute: Substitute? {
    switch self {
    case .status, .explain, .budget, .overview, .plan, .lanes, .pause, .resume: .jobs
    case .transfers, .deliveries, .grant: .store
    case .push, .run, .guest, .reload, .doctor, .metrics, .watch, .permissions, .agree, .pushRule,
      .subscriptions, .renew, .subscription:
      nil
    }
  }
}
