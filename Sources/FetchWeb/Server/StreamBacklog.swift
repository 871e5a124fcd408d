import NIOCore
import Synchronization

/// The bytes of a stream that wait to be sent to its client. If there are too many such bytes, the
/// client is disconnected.
final class StreamBacklog: WebStreamWriter {
  private struct State {
    var unsentCount = 0
    var isClosed = false
    /// The number of bytes that have been sent. `checked` has the value of `sentCount` at the last
    /// call of `isStuck`, and whether bytes were then waiting.
    var sentCount: Int64 = 0
    var checked: (sentCount: Int64, isWaiting: Bool) = (0, false)
    var drains: [CheckedContinuation<Bool, Never>] = []

    var isDrained: Bool { unsentCount <= WebLimits.streamDrainedBytesMax }

    mutating func takeDrains() -> [CheckedContinuation<Bool, Never>] {
      defer { drains = [] }
      return drains
    }
  }

  private let state = Mutex(State())
  private let loop: any EventLoop
  private let write: @Sendable ([UInt8]) -> Void
  private let behind: @Sendable () -> Void

  /// Creates a backlog without bytes.
  ///
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
    case .disconnect:
      close()
      loop.execute { self.behind() }
    case .nothing: break
    }
    return step == .write
  }

  /// Records that bytes have been sent to the client.
  func sent(_ count: Int) {
    let drains = state.withLock { state in
      state.unsentCount -= count
      state.sentCount += Int64(count)
      return state.isDrained ? state.takeDrains() : []
    }
    for drain in drains { drain.resume(returning: true) }
  }

  func drain() async -> Bool {
    await withCheckedContinuation { waiter in
      let answer = state.withLock { state -> Bool? in
        if state.isClosed { return false }
        if state.isDrained { return true }
        state.drains.append(waiter)
        return nil
      }
      if let answer { waiter.resume(returning: answer) }
    }
  }

  /// Whether no byte has been sent since the previous check, although bytes waited at both checks.
  func isStuck() -> Bool {
    state.withLock { state in
      let last = state.checked
      state.checked = (state.sentCount, state.unsentCount > 0)
      return last.isWaiting && state.unsentCount > 0 && last.sentCount == state.sentCount
    }
  }

  func close() {
    let drains = state.withLock { state in
      state.isClosed = true
      return state.takeDrains()
    }
    for drain in drains { drain.resume(returning: false) }
  }
}
