import CHost
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// An engine that sends requests with libcurl, on one thread of its own. The engine loads and
/// starts nothing before it is first used.
///
/// The engine exchanges requests and answers with servers, and reads granted files. `HTTPSession`
/// checks hostnames, and handles redirects, retries and validators. Bodies are not decoded on the
/// engine's thread.
package final class HTTPEngine: HTTPTransport {
  /// The mailbox of the engine's thread; nil before the first request.
  private let started = Mutex<EngineMailbox?>(nil)
  private let nextID = Atomic<UInt64>(0)
  /// The threads that read granted files.
  private let files: FileThreads

  package init(files: FileThreads = FileThreads()) { self.files = files }

  /// Stops the engine; requests under way end as cancelled.
  deinit {
    _ = started.withLock { $0 }?.post(.stop)
  }

  /// Sends one request and returns its answer or fault, without redirects or retries. Ends soon
  /// when the task is cancelled, unless the request is for a local file.
  @concurrent package func perform(_ hop: HTTPHop) async -> HTTPHopEnd {
    if hop.target.scheme == .file { return await files.run { _ in GrantedFile.read(hop) } }
    return switch mailbox() {
    case .success(let mailbox): finished(await transfer(hop, mailbox), hop)
    case .failure(let fault): HTTPHopEnd(.failure(fault))
    }
  }

  /// Limits the total number of bytes per second of all hops with a sink; nil removes the limit.
  package func limitSpeed(_ bytesPerSecondMax: Int64?) {
    if case .success(let mailbox) = mailbox() { _ = mailbox.post(.limitSpeed(bytesPerSecondMax)) }
  }

  private func transfer(_ hop: HTTPHop, _ mailbox: EngineMailbox) async -> EngineTransferEnd {
    let id = nextID.wrappingAdd(1, ordering: .relaxed).newValue
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let transfer = EngineTransfer(id: id, hop: hop, continuation: continuation)
        let isTaken = mailbox.post(.submit(transfer))
        if !isTaken { transfer.finish(.cancelled) }
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
    started.withLock { started in
      if let mailbox = started { return .success(mailbox) }
      // A shortage of descriptors or threads may pass, so the next request tries again.
      let result = Self.start()
      started = try? result.get()
      return result
    }
  }

  private static func start() -> Result<EngineMailbox, HTTPFault> {
    var set: Int32 = -1
    var signal: Int32 = -1
    guard cready_create(&set, &signal, EngineLoop.signalTag) else {
      return .failure(.engine(ResourceShortage.message(errno)))
    }
    let mailbox = EngineMailbox(signal: signal)
    guard EngineThread.start(EngineLoop(set: set, mailbox: mailbox)) else {
      close(set)
      return .failure(.engine("the thread of the HTTP engine cannot be started"))
    }
    return .success(mailbox)
  }
}

/// A multi handle of libcurl, with its connection pool and its timer.
final class EngineLane {
  /// The maximum number of connections to one host, to limit the load on HTTP/1 servers.
  static let connectionsPerHostMax = 6
  /// The maximum number of unused connections that are kept for reuse. With thousands of kept
  /// connections, libcurl's search among them costs more time than their reuse saves.
  static let connectionsKeptMax = 128

  let multi: UnsafeMutableRawPointer
  private let set: Int32
  private let index: Int
  /// The time when libcurl must be called even if nothing happens on its sockets; nil if libcurl
  /// has set no timer.
  fileprivate(set) var timerAt: ContinuousClock.Instant?
  /// The number of transfers in the multi handle.
  var activeCount = 0 {
    // libcurl's limit includes the connections in use. With a constant limit, many concurrent
    // requests would leave no room for unused connections, so that none could be used again.
    didSet {
      let limit = Self.connectionsKeptMax + activeCount
      _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, limit)
    }
  }

  init?(set: Int32, index: Int) {
    self.set = set
    self.index = index
    guard let multi = ccurl_multi_create(onSocket, onTimer) else { return nil }
    self.multi = multi
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_context(multi, context)
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsPerHostMax)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, EngineLoop.activeMax * 2)
  }

  func handle(_ event: cready_event) {
    var what: Int32 = 0
    if event.what & Int32(CREADY_IN) != 0 { what |= CURL_CSELECT_IN }
    if event.what & Int32(CREADY_OUT) != 0 { what |= CURL_CSELECT_OUT }
    if event.what & Int32(CREADY_ERROR) != 0 { what |= CURL_CSELECT_ERR }
    let socket = Int32(truncatingIfNeeded: event.tag & 0xFFFF_FFFF)
    _ = ccurl_multi_socket_action(multi, socket, what)
  }

  func fireTimerIfDue() {
    guard let due = timerAt, due <= .now else { return }
    timerAt = nil
    _ = ccurl_multi_socket_action(multi, CURL_SOCKET_BAD, 0)
  }

  func close() { ccurl_multi_destroy(multi) }

  fileprivate func watch(_ socket: Int32, _ wish: Int32) {
    guard wish != CURL_POLL_REMOVE else { return cready_forget(set, socket) }
    var what: Int32 = 0
    if wish & CURL_POLL_IN != 0 { what |= Int32(CREADY_IN) }
    if wish & CURL_POLL_OUT != 0 { what |= Int32(CREADY_OUT) }
    let tag = UInt64(index) << 32 | UInt64(UInt32(bitPattern: socket))
    _ = cready_watch(set, socket, what, tag)
  }
}

private func lane(_ context: UnsafeMutableRawPointer) -> EngineLane {
  Unmanaged<EngineLane>.fromOpaque(context).takeUnretainedValue()
}

private let onSocket: ccurl_socket_function = { _, socket, wish, context, _ in
  if let context { lane(context).watch(socket, wish) }
  return 0
}

private let onTimer: ccurl_timer_function = { _, milliseconds, context in
  guard let context else { return 0 }
  lane(context).timerAt = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  return 0
}
