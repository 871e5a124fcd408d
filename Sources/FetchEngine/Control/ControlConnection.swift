import FetchHost
import FetchValues
import Glibc
import Synchronization

/// The connection of one client. The client sends one request and receives lines. Only the thread
/// of `ControlLoop` uses the connection.
final class ControlConnection {
  /// The descriptor of the connection; -1 after it is closed.
  private(set) var descriptor: Int32
  private let outlet: ControlOutlet
  private var reader = LineReader(bytesMax: ControlRequest.bytesMax)
  private var task: Task<Void, Never>?
  private var isReading = true
  private var unsent: [UInt8] = []
  private var sentCount = 0
  private var isLast = false
  /// The time at which the connection is closed if no request has arrived or the client does not
  /// read the answer. Nil if the connection has no such limit now.
  private(set) var deadline: UInt64?

  /// The maximum time until the request has arrived. A request is one small line, which a program
  /// writes in one call.
  private static let requestTimeout: Duration = .seconds(10)
  /// The maximum time for which the client may stop reading. It is long enough for a person who
  /// pages through the answer.
  private static let sendTimeout: Duration = .seconds(600)
  /// The maximum time for which a watching client may stop reading. A program that watches reads
  /// each notification immediately.
  private static let watcherTimeout: Duration = .seconds(60)
  /// The size of the send buffer for a watching client, in bytes. A small buffer is full soon after
  /// the client stops reading. The time `watcherTimeout` begins when the buffer is full.
  private static let watcherBytesMax: Int32 = 4 << 10
  private var sendTimeout = ControlConnection.sendTimeout

  init(_ descriptor: Int32, wake: WakeSignal, now: UInt64) {
    self.descriptor = descriptor
    outlet = ControlOutlet(wake: wake)
    deadline = now + Self.requestTimeout.nanoseconds
  }

  /// Whether the connection is closed, and its answer has ended or never began.
  var isOver: Bool { descriptor < 0 && (task == nil || outlet.isEnded) }

  /// Whether a client still receives an answer.
  var isAnswering: Bool { descriptor >= 0 && task != nil }

  var awaited: pollfd {
    let events = isReading ? POLLIN : sentCount < unsent.count ? POLLOUT : 0
    return pollfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  /// Handles the events that poll(2) has reported for the connection. Also sends waiting bytes, and
  /// closes the connection if its deadline has passed.
  func handle(_ seen: Int32, _ handler: any ControlHandler, now: UInt64) {
    guard descriptor >= 0 else { return }
    if isReading, seen & (POLLIN | POLLHUP) != 0 {
      read(handler, now: now)
    } else if seen & (POLLHUP | POLLERR) != 0 {
      close()
    }
    if !isReading { send(now: now) }
    if let deadline, now >= deadline { close() }
  }

  private func read(_ handler: any ControlHandler, now: UInt64) {
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else {
      if count == 0 || errno != EAGAIN && errno != EINTR { close() }
      return
    }
    reader.append(chunk[..<count])
    if let line = reader.next() {
      stopReading()
      do { answer(try ControlRequest(line: line), handler) } catch { refuse(error.message) }
    } else if reader.isTooLong {
      stopReading()
      refuse("the request is longer than \(ControlRequest.bytesMax) bytes")
    }
  }

  private func stopReading() {
    isReading = false
    deadline = nil
  }

  func refuse(_ message: String, status: Int32 = wrongUsage) {
    stopReading()
    outlet.end(.failed(message, status: status))
  }

  /// The exit status of a usage error, as on the command line.
  static let wrongUsage: Int32 = 64

  private func answer(_ request: ControlRequest, _ handler: any ControlHandler) {
    if request == .watch {
      sendTimeout = Self.watcherTimeout
      UnixSocket.limitUnread(descriptor, bytes: Self.watcherBytesMax)
    }
    task = Task(executorPreference: HostExecutor.shared) { [outlet] in
      let end = await handler.answer(request) { value in await outlet.line(value) }
      outlet.end(end)
    }
  }

  private func send(now: UInt64) {
    while descriptor >= 0 {
      if sentCount == unsent.count {
        guard !isLast else { return close() }
        (unsent, isLast) = outlet.take()
        sentCount = 0
        deadline = nil
        if unsent.isEmpty, !isLast { return }
        continue
      }
      let count = unsent.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress! + sentCount, $0.count - sentCount,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        if deadline == nil { deadline = now + sendTimeout.nanoseconds }
        return
      }
      guard count > 0 else { return close() }
      sentCount += count
      deadline = nil
    }
  }

  /// Ends an unfinished answer with a failure, and closes the connection.
  func shutDown(now: UInt64) {
    outlet.end(.failed("the answering process was stopped before its answer was complete"))
    task?.cancel()
    if !isReading { send(now: now) }
    close()
  }

  private func close() {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    descriptor = -1
    deadline = nil
    outlet.close()
    task?.cancel()
  }
}

/// A splitter of incoming bytes into lines. It does not limit the length of a line: the caller must
/// check `isTooLong`.
struct LineReader {
  private var bytes: [UInt8] = []
  /// The offset at which the next line begins.
  private var start = 0
  private var searched = 0
  private let bytesMax: Int

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  mutating func append(_ more: some Collection<UInt8>) {
    bytes.removeFirst(start)
    searched -= start
    start = 0
    bytes.append(contentsOf: more)
  }

  /// Returns the next line without its line break; nil if the line is not complete yet.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    defer {
      start = end + 1
      searched = start
    }
    return Array(bytes[start..<end])
  }

  var isTooLong: Bool { bytes.count - start >= bytesMax }
}

/// The bytes to send on one connection. The answering task writes them, and the sending thread
/// takes them. When more than `heldBytesMax` bytes are waiting, the task waits until the thread
/// takes them or the connection is closed.
final class ControlOutlet: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isEnded = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Mutex(State())
  private let wake: WakeSignal

  private static let heldBytesMax = 256 << 10

  init(wake: WakeSignal) { self.wake = wake }

  func line(_ value: Value) async {
    let bytes = ControlReply.line(value).bytes
    let (isFirst, isFull) = state.withLock { state in
      guard !state.isClosed, !state.isEnded else { return (false, false) }
      let isFirst = state.bytes.isEmpty
      state.bytes += bytes
      return (isFirst, state.bytes.count > Self.heldBytesMax)
    }
    if isFirst { wake.ring() }
    if isFull { await room() }
  }

  private func room() async {
    await withCheckedContinuation { waiter in
      let isFree = state.withLock { state in
        if state.isClosed || state.bytes.isEmpty { return true }
        state.waiters.append(waiter)
        return false
      }
      if isFree { waiter.resume() }
    }
  }

  /// Ends the answer. Later calls do not change the answer.
  func end(_ end: ControlEnd) {
    let bytes = ControlReply.end(end).bytes
    state.withLock { state in
      guard !state.isEnded else { return }
      if !state.isClosed { state.bytes += bytes }
      state.isEnded = true
    }
    wake.ring()
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Removes and returns the bytes that were written since the last call. `isLast` is true if no
  /// more bytes will follow.
  func take() -> (bytes: [UInt8], isLast: Bool) {
    let (bytes, isLast, waiters) = state.withLock { state in
      defer { state.bytes = [] }
      return (state.bytes, state.isEnded, state.takeWaiters())
    }
    for waiter in waiters { waiter.resume() }
    return (bytes, isLast)
  }

  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      state.bytes = []
      return state.takeWaiters()
    }
    for waiter in waiters { waiter.resume() }
  }
}
