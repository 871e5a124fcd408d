import FetchValues
import Glibc
import Synchronization

/// One request over one connection. The caller makes the call on a thread that may block.
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
    guard !isCancelled else { throw cancelled }
    // Errors during sending are ignored, because the daemon may reject the request before it has
    // read all of it. The daemon's answer then gives the reason.
    send(request, to: descriptor)
    return try receive(from: descriptor)
  }

  private var cancelled: ControlError { ControlError(.cancelled, "the request was cancelled") }

  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.send(
          descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  private func receive(from descriptor: Int32) throws(ControlError) -> ControlEnd {
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
          ? cancelled
          : ControlError(.badReply, "the daemon ended before it answered; see its log")
      }
      reader.append(chunk[..<count])
    }
  }
}
