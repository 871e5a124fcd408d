import FetchHost
package import FetchValues
import Glibc
import Synchronization

/// A client for a process that answers requests about a store. This process is a daemon, or a
/// command that waits for its transfers.
package enum ControlClient {
  /// The maximum time to connect, and for each call that sends bytes. A daemon that accepts no
  /// connection within this time is probably stuck.
  private static let connectTimeoutSeconds = 10

  /// Sends a request to the first socket on which a process listens, and returns the end of the
  /// reply. If the daemon refuses the request, this end has the exit status and a message.
  ///
  /// Calls `line` on a separate thread with each line of the reply, in order, as it arrives. The
  /// calls end before the function returns. The wait for the reply has no time limit, since a run
  /// may take a long time. Cancel the task to stop waiting.
  ///
  /// Throws `noDaemon` if no process listens, and `unusable` if the daemon cannot be reached or
  /// trusted. Throws `badRequest` for a request that is too long, and `badReply` for an invalid or
  /// incomplete reply. Throws `cancelled` if the task is cancelled while the function waits, and
  /// `notSent` if it is cancelled before the daemon could receive the whole request. After
  /// `badReply` and `cancelled`, the daemon may still carry out the request.
  package static func send(
    _ request: ControlRequest, at paths: [String],
    line: @escaping @Sendable (Value) -> Void
  ) async throws(ControlError) -> ControlEnd {
    let bytes = try request.line()
    let call = ControlCall(line)
    let answer: Result<ControlEnd, ControlError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = DedicatedThread.startIfPossible("control call") {
          continuation.resume(
            returning: Result { () throws(ControlError) in
              try call.run(bytes, try connect(paths))
            })
        }
        if !isStarted {
          continuation.resume(
            returning: .failure(ControlError(.unusable, DedicatedThread.refusal)))
        }
      }
    } onCancel: {
      call.cancel()
    }
    return try answer.get()
  }

  /// Whether `send` would reach a daemon at these sockets.
  package static func hasDaemon(at paths: [String]) -> Bool {
    guard let descriptor = try? connect(paths) else { return false }
    close(descriptor)
    return true
  }

  private static func connect(_ paths: [String]) throws(ControlError) -> Int32 {
    for path in paths {
      let descriptor = UnixSocket.make()
      guard descriptor >= 0 else { throw problem(path, errno) }
      UnixSocket.limitSending(descriptor, seconds: connectTimeoutSeconds)
      let code = UnixSocket.connect(descriptor, to: path)
      guard code != 0 else { return try trusted(descriptor, path) }
      close(descriptor)
      guard [ENOENT, ECONNREFUSED, ENOTDIR].contains(code) else { throw problem(path, code) }
    }
    throw ControlError(.noDaemon, "no daemon listens at \(paths.joined(separator: " or "))")
  }

  private static func trusted(_ descriptor: Int32, _ path: String) throws(ControlError) -> Int32 {
    let daemon = UnixSocket.peer(of: descriptor)?.user
    guard ControlPeer.isTrusted(daemon, by: geteuid()) else {
      close(descriptor)
      throw ControlError(
        .unusable, "the daemon at \(path) belongs to another user; run the command as that user")
    }
    return descriptor
  }

  private static func problem(_ path: String, _ code: Int32) -> ControlError {
    let reason =
      code == EAGAIN
      ? "the daemon accepts no connections; restart the daemon if it is stuck"
      : UnixSocket.reason(code)
    return ControlError(.unusable, "the daemon at \(path) cannot be reached: \(reason)")
  }
}

/// One request over one connection. `run` blocks its thread.
final class ControlCall: Sendable {
  private struct State {
    var descriptor: Int32?
    var isCancelled = false
  }

  private let state = Mutex(State())
  private let line: @Sendable (Value) -> Void

  init(_ line: @escaping @Sendable (Value) -> Void) { self.line = line }

  /// Ends the call early. `run` then throws an error, unless the reply has already arrived.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Sends the request over the connection and returns the end of the reply. Takes ownership of the
  /// connection and closes it.
  func run(_ request: [UInt8], _ descriptor: Int32) throws(ControlError) -> ControlEnd {
    let isCancelled = state.withLock { state in
      state.descriptor = descriptor
      return state.isCancelled
    }
    defer {
      state.withLock { $0.descriptor = nil }
      close(descriptor)
    }
    guard !isCancelled else { throw Self.notSent }
    // Errors during sending are ignored, because the daemon may reject the request before it has
    // read the whole request. The daemon's answer then gives the reason.
    let isSent = send(request, to: descriptor)
    return try receive(from: descriptor, isSent: isSent)
  }

  private static let notSent = ControlError(
    .notSent, "cancelled before the request was sent to the daemon: nothing runs")
  private static let cancelled = ControlError(.cancelled, "the request was cancelled")

  /// Returns whether the socket accepted all bytes.
  private func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.send(
          descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  private func receive(from descriptor: Int32, isSent: Bool) throws(ControlError) -> ControlEnd {
    var reader = LineReader(bytesMax: ControlReply.bytesMax)
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      while let bytes = reader.next() {
        switch try ControlReply(line: bytes) {
        case .line(let value): line(value)
        case .end(let end): return end
        }
      }
      guard !reader.isTooLong else {
        throw ControlError(.badReply, "the daemon's answer has a line that is too long")
      }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw state.withLock(\.isCancelled)
          ? (isSent ? Self.cancelled : Self.notSent)
          : ControlError(
            .badReply,
            "the connection to the daemon ended before the answer was complete; see the daemon's"
              + " log")
      }
      reader.append(chunk[..<count])
    }
  }
}
