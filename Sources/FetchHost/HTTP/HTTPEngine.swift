import CHost
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// Sends the requests of all runs with libcurl, on one thread of its own. Nothing is loaded or
/// started before the first request.
///
/// The engine only exchanges requests and answers with servers. `HTTPSession` handles permissions,
/// redirects, retries and validators. Bodies are decoded on the caller's thread, not the engine's.
package final class HTTPEngine: HTTPTransport {
  private enum State {
    case idle
    case running(EngineMailbox)
    case unavailable(String)
  }

  private let state = Mutex(State.idle)
  private let nextID = Atomic<UInt64>(0)

  package init() {}

  /// Stops the engine; requests under way end as cancelled.
  deinit {
    if case .running(let mailbox) = state.withLock({ $0 }) { _ = mailbox.post(.stop) }
  }

  /// Sends one request and returns its answer, without redirects or retries. Ends immediately when
  /// the task is cancelled.
  @concurrent package func perform(_ hop: HTTPHop) async -> HTTPHopEnd {
    if hop.target.scheme == .file { return GrantedFile.read(hop) }
    return switch mailbox() {
    case .success(let mailbox): finished(await transfer(hop, mailbox), hop)
    case .failure(let fault): HTTPHopEnd(.failure(fault))
    }
  }

  /// Limits the bytes per second of all hops with a sink together; nil removes the limit.
  package func limitSpeed(_ bytesPerSecondMax: Int64?) {
    if case .success(let mailbox) = mailbox() { _ = mailbox.post(.limitSpeed(bytesPerSecondMax)) }
  }

  private func transfer(_ hop: HTTPHop, _ mailbox: EngineMailbox) async -> EngineTransferEnd {
    let id = nextID.wrappingAdd(1, ordering: .relaxed).newValue
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken = mailbox.post(.submit(id, hop, continuation))
        if !isTaken { continuation.resume(returning: EngineTransferEnd(fault: .cancelled)) }
        // If the task was cancelled before the request was submitted, the handler found no request
        // to cancel.
        if isTaken, Task.isCancelled { _ = mailbox.post(.cancel(id)) }
      }
    } onCancel: {
      _ = mailbox.post(.cancel(id))
    }
  }

  private func finished(_ end: EngineTransferEnd, _ hop: HTTPHop) -> HTTPHopEnd {
    if let fault = end.fault {
      let isOffline = fault.mayBeOffline && !hop.target.isLoopback && !NetworkPresence.isOnline
      return HTTPHopEnd(
        .failure(isOffline ? .offline : fault), receivedBytes: end.receivedBytes)
    }
    guard let head = ResponseHead(end.head) else {
      return HTTPHopEnd(.failure(.notHTTP), receivedBytes: end.receivedBytes)
    }
    if hop.sink != nil {
      return HTTPHopEnd(
        .success(HTTPHopAnswer(status: head.status, headers: head.fields)),
        receivedBytes: end.receivedBytes)
    }
    let body = BodyDecoder.decode(
      end.body, headers: head.fields, bytesMax: hop.bodyBytesMax,
      ratioMax: hop.decompressionRatioMax)
    let answer = body.map { HTTPHopAnswer(status: head.status, headers: head.fields, body: $0) }
    return HTTPHopEnd(answer, receivedBytes: end.receivedBytes)
  }

  private func mailbox() -> Result<EngineMailbox, HTTPFault> {
    state.withLock { state in
      if case .idle = state { state = Self.start() }
      switch state {
      case .running(let mailbox): return .success(mailbox)
      case .unavailable(let why): return .failure(.engine(why))
      case .idle: return .failure(.engine("the HTTP engine has not started"))
      }
    }
  }

  private static func start() -> State {
    var set: Int32 = -1
    var signal: Int32 = -1
    guard cready_create(&set, &signal, EngineLoop.signalTag) else {
      return .unavailable("no file descriptors are left")
    }
    let mailbox = EngineMailbox(signal: signal)
    guard EngineThread.start(EngineLoop(set: set, mailbox: mailbox)) else {
      close(set)
      return .unavailable("its thread cannot be started")
    }
    return .running(mailbox)
  }
}
