import DequeModule
import Synchronization

/// The line of those runs whose results are large: one at a time has its result in memory, and it is
/// read, compared and stored on a thread of its own. So eight of them take the memory of one, and
/// other runs keep their times.
package final class LargeResults: Sendable {
  /// A result that takes more than this is large. The usual run gives 20 items of 1 KB.
  package static let weightMin = 4 << 20

  private struct State {
    var isTaken = false
    var line: Deque<CheckedContinuation<Void, Never>> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// A turn in the line. It ends when nobody holds it any more, as the memory does that it is for.
  package final class Turn: Sendable {
    private let results: LargeResults

    fileprivate init(_ results: LargeResults) { self.results = results }

    deinit { results.leave() }
  }

  /// Waits for the turn of a result that takes so much; nil at once where it is not large.
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
    // After whatever the thread of large results still does for the one that leaves.
    Task(executorPreference: HostExecutor.large) {
      ProcessMemory.trim()
      next?.resume()
    }
  }
}
