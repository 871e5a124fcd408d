import DequeModule
import Synchronization

/// The queue of runs whose results are large. One at a time has its result in memory, and a thread
/// of its own decodes, compares and stores it. So eight of them take the memory of one, and do not
/// delay other runs.
package final class LargeResults: Sendable {
  /// A result that takes more memory than this is large. The usual run produces 20 items of 1 KB.
  package static let weightMin = 4 << 20

  private struct State {
    var isTaken = false
    var line: Deque<CheckedContinuation<Void, Never>> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// A turn in the queue. It ends with its last reference, as does the memory that it is for.
  package final class Turn: Sendable {
    private let results: LargeResults

    fileprivate init(_ results: LargeResults) { self.results = results }

    deinit { results.leave() }
  }

  /// Waits for the turn of a result of that size; returns nil immediately if it is not large.
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
    // This runs after all work that the thread still does for the result that leaves.
    Task(executorPreference: HostExecutor.large) {
      ProcessMemory.trim()
      next?.resume()
    }
  }
}
