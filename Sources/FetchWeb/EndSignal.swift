import FetchHost
import Synchronization

/// A request to end the process, after a system signal or a time without connections.
final class EndSignal: Sendable {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func ring() {
    let waiter = state.withLock { state in
      state.isRung = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits until `ring` is called. Only one caller may wait, and only once.
  func wait() async {
    await withCheckedContinuation { waiter in
      let isRung = state.withLock { state in
        if !state.isRung { state.waiter = waiter }
        return state.isRung
      }
      if isRung { waiter.resume() }
    }
  }
}

/// The timer of an idle process. It calls `act` after the process has had no connection for the
/// time `timeout`.
final class IdleWait: Sendable {
  private let timeout: Duration
  private let act: @Sendable () -> Void
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ timeout: Duration, _ act: @escaping @Sendable () -> Void) {
    self.timeout = timeout
    self.act = act
  }

  /// Starts the timer if there is no connection, otherwise stops the timer.
  func changed(_ isEmpty: Bool) {
    let next = isEmpty ? waiting : nil
    let last = task.withLock { task in
      defer { task = next }
      return task
    }
    last?.cancel()
  }

  private var waiting: Task<Void, Never> {
    Task(executorPreference: HostExecutor.shared) { [timeout, act] in
      guard (try? await HostClock().sleep(for: timeout)) != nil else { return }
      act()
    }
  }
}
