import NIOCore
import Synchronization

/// The bytes of an answer that its client has not read yet: a client that is too far behind is
/// disconnected.
final class StreamBacklog: WebStreamWriter {
  private struct State {
    var unsentCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let loop: any EventLoop
  private let write: @Sendable ([UInt8]) -> Void
  private let behind: @Sendable () -> Void

  /// - Parameters:
  ///   - write: writes bytes to the connection, on the event loop.
  ///   - behind: disconnects the client, on the event loop.
  init(
    loop: any EventLoop, write: @escaping @Sendable ([UInt8]) -> Void,
    behind: @escaping @Sendable () -> Void
  ) {
    self.loop = loop
    self.write = write
    self.behind = behind
  }

  func send(_ bytes: [UInt8]) -> Bool {
    enum Step { case write, disconnect, nothing }
    let step = state.withLock { state -> Step in
      if state.isClosed { return .nothing }
      state.unsentCount += bytes.count
      if state.unsentCount <= WebLimits.streamBacklogBytesMax { return .write }
      state.isClosed = true
      return .disconnect
    }
    switch step {
    case .write: loop.execute { self.write(bytes) }
    case .disconnect: loop.execute { self.behind() }
    case .nothing: break
    }
    return step == .write
  }

  /// Notes that bytes have left for the client.
  func sent(_ count: Int) { state.withLock { $0.unsentCount -= count } }

  func close() { state.withLock { $0.isClosed = true } }
}
