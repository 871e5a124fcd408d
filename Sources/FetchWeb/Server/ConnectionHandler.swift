import FetchHost
import FetchModel
import FetchValues
import NIOCore
import NIOHTTP1

/// The handler of one client's connection. It reads a request within its limits, passes the request
/// on, and writes the answer. It then waits for the next request, or closes the connection.
///
/// SAFETY: only the thread of the handler's event loop uses the handler. Other threads call
/// `execute` on the loop.
final class ConnectionHandler: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum Phase {
    /// The server waits for the first bytes of the next request.
    case idle
    /// A part of a request's head has arrived.
    case head
    case body(HTTPRequestHead, ArrivingBody, bytesMax: Int)
    case answering(HTTPRequestHead)
    /// The answer was written to the channel, but not all of its bytes have been sent.
    case sending(closes: Bool)
    /// The connection will soon be closed. The server ignores everything that the client still
    /// sends.
    case lingering
    case closed
  }

  private let service: ConnectionService
  let peer: WebPeer
  private let port: Int?
  private var phase = Phase.idle
  private var context: ChannelHandlerContext?
  private var deadline: Scheduled<Void>?
  private var task: Task<Void, Never>?
  private var stream: StreamBacklog?
  private var isStopping = false
  private var inputIsClosed = false
  /// The problem of a request that is refused although the HTTP parser found no error.
  private var problem: WebProblem?

  init(_ service: ConnectionService, peer: WebPeer, port: Int?) {
    self.service = service
    self.peer = peer
    self.port = port
  }

  // MARK: The connection

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    wait(WebLimits.idleTimeout)
  }

  func handlerRemoved(context: ChannelHandlerContext) { forget() }

  func channelInactive(context: ChannelHandlerContext) {
    forget()
    context.fireChannelInactive()
  }

  private func forget() {
    phase = .closed
    deadline?.cancel()
    deadline = nil
    task?.cancel()
    task = nil
    stream?.close()
    context = nil
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, event == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    inputIsClosed = true
    switch phase {
    // The client sends nothing more, but may still read the answer.
    case .answering where stream == nil, .sending: break
    case .body(_, let body, _) where body.isComplete: break
    default: context.close(promise: nil)
    }
  }

  /// Closes an idle or lingering connection immediately. Cancels the stream of a connection with a
  /// stream. Any other connection closes after the answer to its current request.
  func stop() {
    isStopping = true
    switch phase {
    case .idle, .lingering: context?.close(promise: nil)
    case .answering where stream != nil: task?.cancel()
    default: break
    }
  }

  func closeNow() { context?.close(promise: nil) }

  // MARK: Deadlines

  private func wait(_ timeout: Duration) {
    deadline?.cancel()
    deadline = context?.eventLoop.scheduleTask(in: TimeAmount(timeout)) { [weak self] in
      self?.expired()
    }
  }

  private func expired() {
    switch phase {
    case .head, .body:
      fail(WebProblem(.tooSlow, 408, "the server did not receive the whole request in time"))
    case .sending, .answering: checkProgress()
    case .idle, .lingering, .closed: context?.close(promise: nil)
    }
  }

  private var unsentBefore = Int.max

  /// Closes the connection if bytes wait to be sent and none has been sent since the last check.
  /// Otherwise schedules the next check.
  private func checkProgress() {
    guard let context else { return }
    if let stream {
      if stream.isStuck() { return context.close(promise: nil) }
      return wait(service.sendTimeout)
    }
    let unsent =
      (try? context.channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0
    if unsent > 0, unsent >= unsentBefore { return context.close(promise: nil) }
    unsentBefore = unsent > 0 ? unsent : .max
    wait(service.sendTimeout)
  }

  /// Begins the time limit for a head when its first bytes arrive.
  func bytesArrived() {
    guard case .idle = phase else { return }
    phase = .head
    wait(WebLimits.headTimeout)
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head)
    case .body(let bytes): append(bytes)
    case .end: end()
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    switch phase {
    case .idle, .head: break
    default: return
    }
    let size = head.headers.reduce(head.uri.utf8.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count
    }
    guard size <= WebLimits.headBytesMax else { return refuse(.headTooLarge) }
    let bytesMax = service.bodyBytesMax(head.method.rawValue, head.uri)
    let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
    let isChecked = service.checksBody(head.method.rawValue, head.uri)
    phase = .body(head, ArrivingBody(isChecked: isChecked), bytesMax: bytesMax)
    guard length <= bytesMax else { return refuse(.bodyTooLarge(bytesMax)) }
    if isChecked { beginCheck(head) } else { wait(WebLimits.bodyTimeout) }
    if head.headers["Expect"].contains(where: { $0.asciiLowercased == "100-continue" }) {
      context?.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))),
        promise: nil)
    }
  }

  private func append(_ bytes: ByteBuffer) {
    guard case .body(let head, var body, let bytesMax) = phase else { return }
    // Removes the reference that `phase` has to the bytes, so that appending does not copy them.
    phase = .head
    guard body.count + bytes.readableBytes <= bytesMax else {
      return refuse(.bodyTooLarge(bytesMax))
    }
    body.append(bytes.readableBytesView)
    phase = .body(head, body, bytesMax: bytesMax)
  }

  /// Prepares the check of a body. The connection is not read until the check is ready, and the
  /// time limit for the body begins only then.
  private func beginCheck(_ head: HTTPRequestHead) {
    guard let context else { return }
    deadline?.cancel()
    let channel = context.channel
    try? channel.syncOptions?.setOption(ChannelOptions.autoRead, value: false)
    let request = received(head)
    let loop = context.eventLoop
    task = Task(executorPreference: HostExecutor.shared) { [service] in
      let check = await service.beginBody(request)
      loop.execute { self.begin(check) }
    }
  }

  private func begin(_ check: BodyCheck?) {
    guard case .body(let head, var body, let bytesMax) = phase, body.isHeld, let context else {
      return
    }
    task = nil
    body.begin(check)
    phase = .body(head, body, bytesMax: bytesMax)
    wait(WebLimits.bodyTimeout)
    try? context.channel.syncOptions?.setOption(ChannelOptions.autoRead, value: true)
    if body.isComplete { end() }
  }

  private func received(_ head: HTTPRequestHead) -> ReceivedRequest {
    ReceivedRequest(
      method: head.method.rawValue, target: head.uri,
      headers: WebHeaders(head.headers.map { ($0.name, $0.value) }), peer: peer, port: port)
  }

  private func end() {
    guard case .body(let head, var body, let bytesMax) = phase, let context else { return }
    if body.isHeld {
      body.isComplete = true
      phase = .body(head, body, bytesMax: bytesMax)
      return
    }
    deadline?.cancel()
    deadline = nil
    phase = .answering(head)
    var request = received(head)
    request.body = body.bytes
    request.check = body.check
    let loop = context.eventLoop
    task = Task(executorPreference: HostExecutor.shared) { [service] in
      let response = await service.answer(request)
      loop.execute { self.answer(response) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      // The bytes that a lingering connection still receives are not kept. It is closed later, so
      // that the client can read the answer.
      if case .lingering = phase { return }
      return context.close(promise: nil)
    }
    switch phase {
    case .idle, .head, .body:
      switch error {
      case .invalidEOFState: context.close(promise: nil)
      case .headerOverflow: refuse(.headTooLarge)
      default: refuse(problem ?? .invalidRequest)
      }
    default: break
    }
  }

  // MARK: Answers

  /// Refuses a request that has not arrived completely. Before the head of a request is complete,
  /// the pipeline accepts an answer only after an error of the HTTP parser. The function therefore
  /// reports such an error.
  private func fail(_ problem: WebProblem) {
    self.problem = problem
    context?.pipeline.fireErrorCaught(HTTPParserError.unknown)
  }

  /// Sends an answer before the request is complete, and closes the connection.
  private func refuse(_ problem: WebProblem) {
    guard let context else { return }
    deadline?.cancel()
    phase = .lingering
    write(problem.response, to: nil, isKept: false)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    // The client may still send. If the connection closed immediately, the answer could be lost on
    // its way.
    close(context)
  }

  private func answer(_ response: WebResponse) {
    guard case .answering(let head) = phase, let context else { return }
    task = nil
    // The parser may stop after CONNECT and after an upgrade, so no further request can arrive.
    let mayUpgrade = head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    let isKept = head.isKeepAlive && !isStopping && !inputIsClosed && !mayUpgrade
    if case .stream(let body) = response.body, head.method != .HEAD {
      return begin(response, to: head, body)
    }
    let count = head.method == .HEAD ? 0 : response.bytes?.count ?? 0
    guard service.backlog.add(count) else { return answer(WebProblem.tooManyAnswers.response) }
    phase = .sending(closes: !isKept)
    unsentBefore = .max
    wait(service.sendTimeout)
    let sent = context.eventLoop.makePromise(of: Void.self)
    write(response, to: head, isKept: isKept, sent)
    context.flush()
    sent.futureResult.whenComplete { [weak self, service] _ in
      service.backlog.remove(count)
      self?.sent()
    }
  }

  /// Ends an answer after its last byte was sent. The pipeline passes on the next request only
  /// after the end of the answer. A client that does not read therefore cannot fill the memory with
  /// answers.
  private func sent() {
    guard case .sending(let closes) = phase, let context else { return }
    deadline?.cancel()
    guard closes || isStopping else {
      phase = .idle
      wait(WebLimits.idleTimeout)
      return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
    phase = .lingering
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    close(context)
  }

  /// Ends the server's side of the connection, so that the client can read the answer to its end.
  /// Closes the connection when the client ends its side, or at the latest after `lingerTimeout`.
  private func close(_ context: ChannelHandlerContext) {
    if inputIsClosed { return context.close(promise: nil) }
    context.close(mode: .output, promise: nil)
    wait(WebLimits.lingerTimeout)
  }

  /// Writes all parts of an answer except its end, which has no bytes.
  ///
  /// - Parameter head: the head of the request; nil if the request is refused before it is
  ///   complete.
  private func write(
    _ response: WebResponse, to head: HTTPRequestHead?, isKept: Bool,
    _ sent: EventLoopPromise<Void>? = nil
  ) {
    guard let context else { return sent?.fail(ChannelError.ioOnClosedChannel) ?? () }
    let bytes = response.bytes ?? []
    var fields = HTTPResponseHead(response, isKept: isKept, now: service.now())
    // A stream is written here only for HEAD. The length of a stream is unknown.
    if let length = response.bytes?.count { fields.setLength(length) }
    let hasBody = head?.method != .HEAD && !bytes.isEmpty
    context.write(wrapOutboundOut(.head(fields)), promise: hasBody ? nil : sent)
    guard hasBody else { return }
    context.write(
      wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: bytes)))),
      promise: sent)
  }

  // MARK: Streams

  private func begin(
    _ response: WebResponse, to head: HTTPRequestHead,
    _ body: @escaping @Sendable (any WebStreamWriter) async -> Void
  ) {
    guard let context else { return }
    let backlog = StreamBacklog(loop: context.eventLoop) { [weak self] in
      self?.send($0)
    } behind: { [weak self] in
      self?.closeNow()
    }
    stream = backlog
    wait(service.sendTimeout)
    var fields = HTTPResponseHead(response, isKept: false, now: service.now())
    // HTTP/1.0 has no chunked encoding. The end of the connection ends the answer (RFC 9112, 6.3).
    if head.version != .http1_0 { fields.headers.add(name: "Transfer-Encoding", value: "chunked") }
    context.writeAndFlush(wrapOutboundOut(.head(fields)), promise: nil)
    let loop = context.eventLoop
    task = Task(executorPreference: HostExecutor.shared) {
      await body(backlog)
      loop.execute { self.endStream() }
    }
    if isStopping { task?.cancel() }
  }

  private func send(_ bytes: [UInt8]) {
    guard let context, let stream else { return }
    let buffer = context.channel.allocator.buffer(bytes: bytes)
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer)))).whenComplete { _ in
      stream.sent(bytes.count)
    }
  }

  private func endStream() {
    guard case .answering = phase, let context else { return }
    stream?.close()
    deadline?.cancel()
    phase = .lingering
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    close(context)
  }
}
