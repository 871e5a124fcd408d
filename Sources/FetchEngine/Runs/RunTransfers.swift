import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// The transfers that one run asks for, until its commit queues them.
final class RunTransfers: Sendable {
  private let store: any Store
  private let job: Job
  private let secrets: RunSecrets?
  private let asked = Mutex<[FilePath: QueuedTransfer]>([:])

  init(store: any Store, job: Job, secrets: RunSecrets?) {
    self.store = store
    self.job = job
    self.secrets = secrets
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

  /// The ids of the requests, or why they have none.
  private func queue(
    _ requests: [Result<TransferRequest, Failure>]
  ) async throws(StoreError) -> [Result<Int64, Failure>] {
    // All at once: each question takes longer to be put than to be answered.
    let paths = requests.compactMap { try? $0.get().to }
    let pending = try await store.pendingTransfers(of: job.name, to: paths)
    var results: [Result<Int64, Failure>] = []
    for request in requests {
      switch request {
      case .failure(let failure): results.append(.failure(failure))
      case .success(let request):
        let unseen = job.grant.keepsFiles ? nil : RunFiles.unseenUse
        if let refusal = unseen ?? TransferCall.refusal(of: request, job.grant)
          ?? secretRefusal(of: request)
        {
          results.append(.failure(refusal))
          continue
        }
        results.append(.success(try await queue(request, pending[request.to])))
      }
    }
    return results
  }

  /// A transfer is stored until it is done: it has its secrets by name, and what a server has echoed
  /// may not go into one.
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
      "the transfer has the value of a secret in it, which would be stored with it; give it the "
        + "secret itself, as ctx:secret has it")
  }

  /// What is pending for the path is kept where it is the same, else it is replaced.
  private func queue(
    _ request: TransferRequest, _ pending: TransferRecord?
  ) async throws(StoreError) -> Int64 {
    let earlier = asked.withLock { $0[request.to] }
    if let earlier {
      if earlier.request.isSame(as: request) { return earlier.id }
    } else if let pending, pending.request.isSame(as: request) {
      return pending.id
    }
    let id = try await store.newTransferID()
    asked.withLock { $0[request.to] = QueuedTransfer(id: id, request: request) }
    return id
  }

  /// Those since the last time, to be stored with what the run gives; in the order they were asked
  /// for.
  func take() -> [QueuedTransfer] {
    let taken = asked.withLock { asked in
      defer { asked = [:] }
      return asked
    }
    return taken.values.sorted { $0.id < $1.id }
  }
}
