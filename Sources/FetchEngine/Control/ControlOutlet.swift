import FetchHost
import FetchValues
import Synchronization

/// The bytes to send on one connection. The answering task writes them, and the sending thread
/// takes them. When more than `heldBytesMax` bytes are waiting, the task waits until the thread
/// takes them.
final class ControlOutlet: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isEnded = false
    /// Whether the connection is closed and takes no more bytes.
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

  /// Ends the answer; later calls do nothing.
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
