import Synchronization

/// Ends a thread that waits in poll(2), and waits until it has ended.
///
/// The thread watches `wake`, checks `isAsked` each time it wakes, and calls `finish` last. Before
/// `begin` there is no thread to stop.
package final class ThreadStop: Sendable {
  package let wake: WakeSignal

  private struct State {
    var isRunning = false
    var isAsked = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init(_ wake: WakeSignal) { self.wake = wake }

  package var isAsked: Bool { state.withLock { $0.isAsked } }

  /// Marks the thread as running. Call it before the thread starts.
  package func begin() { state.withLock { $0.isRunning = true } }

  package func finish() {
    let waiters = state.withLock { state in
      state.isRunning = false
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Requests the end of the thread, without waiting for it.
  package func ask() {
    state.withLock { $0.isAsked = true }
    wake.ring()
  }

  package func stop() async {
    ask()
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        if state.isRunning { state.waiters.append(waiter) }
        return !state.isRunning
      }
      if isOver { waiter.resume() }
    }
  }
}
