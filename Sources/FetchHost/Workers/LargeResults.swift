import DequeModule
import Synchronization

/// The queue of runs whose results are large. Only one large result at a time is in memory. A
/// separate thread decodes, compares and stores it. Eight runs with large results therefore need
/// only the memory of one, and do not delay other runs.
package final class LargeResults: Sendable {
  /// The size in bytes above which a result is large. A typical run produces 20 items of 1 KB.
  package static let weightMin = 4 << 20

  private struct State {
    var isTaken = false
    var line: Deque<CheckedContinuation<Void, Never>> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// A turn in the queue. The turn ends when its last reference is released, together with the
  /// result's memory.
  package final class Turn: Sendable {
    private let results: LargeResults

    fileprivate init(_ results: LargeResults) { self.results = results }

    deinit { results.leave() }
  }

  /// Waits for a turn for a result of the given size; returns nil immediately if the result is not
  /// large.
  package func turn(weight: Int) async -> Turn? {
    guard weight > Self.weightMin else { return nil }
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if !state.isTaken {
          state.isTaken = true
          return true
        }
        state.line.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    return Turn(self)
  }

  private func leave() {
    let next = state.withLock { state in
      let next = state.line.popFirst()
      state.isTaken = next != nil
      return next
    }
    // This task runs after all other work that the thread still has for the finished result.
    Task(executorPreference: HostExecutor.large) {
      ProcessMemory.trim()
      next?.resume()
    }
  }
}
