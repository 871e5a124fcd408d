import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The transfers that one run has requested and that its commit will queue.
final class RunTransfers: Sendable {
  private let store: any Store
  private let leased: LeasedJob
  private let secrets: RunSecrets?
  private let suggested: SuggestedCommand
  private let asked = Mutex(Asked())

  private struct Asked {
    /// The transfers that were queued since the last call of `take`, by their paths.
    var transfers: [FilePath: QueuedTransfer] = [:]
    /// The number of transfers that the run has queued so far.
    var count = 0
  }

  init(store: any Store, leased: LeasedJob, secrets: RunSecrets?, suggested: SuggestedCommand) {
    self.store = store
    self.leased = leased
    self.secrets = secrets
    self.suggested = suggested
  }

  func answer(_ call: HostCall) async -> HostCallAnswer {
    let asked: TransferCall
    do throws(HTTPCallProblem) { asked = try TransferCall(call) } catch {
      return .raises(error.message)
    }
    do throws(StoreError) { return asked.answer(try await queue(asked.requests)) } catch {
      return .raises(error.message)
    }
  }

  private func queue(
    _ requests: [Result<TransferRequest, Failure>]
  ) async throws(StoreError) -> [Result<Int64, Failure>] {
    // One call of the store reads the pending transfers of all paths, since a call for each path
    // would be slow.
    let paths = requests.compactMap { try? $0.get().to }
    let pending = try await store.pendingTransfers(of: leased.job.name, to: paths)
    var results: [Result<Int64, Failure>] = []
    for request in requests {
      switch request {
      case .failure(let failure): results.append(.failure(failure))
      case .success(let request):
        let grant = leased.job.grant
        let unseen = grant.keepsFiles ? nil : RunFiles.unseenUse
        if let refusal = unseen ?? TransferCall.refusal(of: request, grant)
          ?? secretRefusal(of: request)
        {
          results.append(leased.job.explained(.failure(refusal), of: request.url, suggested))
          continue
        }
        results.append(try await queue(request, pending[request.to]))
      }
    }
    return results
  }

  /// Returns a failure if a requested transfer contains a secret's value; otherwise nil. A stored
  /// transfer refers to its secrets by name. It must not contain their values, for example a value
  /// that a server has sent back.
  private func secretRefusal(of request: TransferRequest) -> Failure? {
    guard let redactor = secrets?.redactor, !redactor.isEmpty else { return nil }
    let paths = [request.to, request.backup].compactMap { $0?.text }
    let fields =
      request.headers.flatMap { [$0.name, $0.value] }
      + (request.sealed?.texts.flatMap(\.plain) ?? [])
    guard ([request.url] + paths + fields).contains(where: { redactor.redacted($0) != $0 }) else {
      return nil
    }
    return Failure(
      .permission,
      "the transfer contains the plain value of a secret, which would be stored with the transfer:"
        + " use the handle from `ctx:secret` instead of the value")
  }

  /// Queues the request and returns the id of its transfer. Before that, compares the request with
  /// the transfer that this run last queued for the path, or otherwise with the pending transfer
  /// for the path. Returns the id of an equal transfer. A different transfer is replaced. Returns a
  /// failure if the run has already queued as many transfers as the job's folder may hold files.
  private func queue(
    _ request: TransferRequest, _ pending: TransferRecord?
  ) async throws(StoreError) -> Result<Int64, Failure> {
    let earlier = asked.withLock { $0.transfers[request.to] }
    if let earlier {
      if earlier.request.isSame(as: request) { return .success(earlier.id) }
    } else if let pending, pending.request.isSame(as: request) {
      return .success(pending.id)
    }
    let countMax = leased.job.files.quota.count
    let isAllowed = asked.withLock { asked in
      asked.count += 1
      return asked.count <= countMax
    }
    guard isAllowed else {
      return .failure(
        Failure(
          .fileQuota,
          "the run has already queued \(countMax) transfers, as many as the folder may hold files"
            + " (`files.count`); request the others in a later run, or raise the quota"))
    }
    let id = try await store.newTransferID()
    asked.withLock { $0.transfers[request.to] = QueuedTransfer(id: id, request: request) }
    return .success(id)
  }

  /// Removes and returns the transfers that were queued since the previous call, in the order of
  /// their ids.
  func take() -> [QueuedTransfer] {
    let taken = asked.withLock { asked in
      defer { asked.transfers = [:] }
      return asked.transfers
    }
    return taken.values.sorted { $0.id < $1.id }
  }
}
