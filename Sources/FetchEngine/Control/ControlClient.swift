import FetchHost
package import FetchValues
import Glibc

/// A client for the daemon of a store.
package enum ControlClient {
  /// The maximum time to connect. A daemon that accepts no connection within this time is stuck.
  private static let connectTimeoutSeconds = 10

  /// Sends a request to the first socket on which a daemon listens, and returns the reply's end. A
  /// daemon answers with `JobControl.answer`, a command that waits for transfers with
  /// `TransferHandler`. A refused request is no error: its end has the exit status and a message.
  ///
  /// Calls `line` on a separate thread with each line of the reply, in order, as it arrives. The
  /// calls end before the function returns. The wait for the reply has no time limit, since a run
  /// may take a long time. Cancel the task to stop waiting.
  ///
  /// Throws `noDaemon` if no process listens, and `unusable` if the daemon cannot be reached or
  /// trusted. Throws `badRequest` for a request that is too long, `badReply` for an invalid or
  /// incomplete reply, and `cancelled`. After the last two errors, the daemon may still carry out
  /// the request. The client does not start a daemon and does not repeat a request.
  package static func send(
    _ request: ControlRequest, at paths: [String],
    line: @escaping @Sendable (Value) -> Void
  ) async throws(ControlError) -> ControlEnd {
    let bytes = try request.line()
    let call = ControlCall(line)
    let answer: Result<ControlEnd, ControlError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DedicatedThread.start("control call") {
          continuation.resume(
            returning: Result { () throws(ControlError) in
              try call.run(bytes, try connect(paths))
            })
        }
      }
    } onCancel: {
      call.cancel()
    }
    return try answer.get()
  }

  /// Whether a daemon that this process can reach and trust listens at one of the sockets.
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
