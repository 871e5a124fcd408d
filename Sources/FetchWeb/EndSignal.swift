import FetchHost
import Synchronization

/// The request that the process ends, from a signal or because nobody uses it.
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

  /// Returns when it has been rung. Call it once.
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

/// The wait of a process that nobody uses: it ends after some time without a connection.
final class IdleWait: Sendable {
  private let timeout: Duration
  private let end: EndSignal
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ timeout: Duration, _ end: EndSignal) {
    self.timeout = timeout
    self.end = end
  }

  /// Begins or ends the wait.
  func changed(_ isEmpty: Bool) {
    let next = isEmpty ? waiting : nil
    let last = task.withLock { task in
      defer { task = next }
      return task
    }
    last?.cancel()
  }

  private var waiting: Task<Void, Never> {
    Task(executorPreference: HostExecutor.shared) { [timeout, end] in
      guard (try? await HostClock().sleep(for: timeout)) != nil else { return }
      end.ring()
    }
  }
}
