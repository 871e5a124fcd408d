import Glibc
import Synchronization

/// Measures how late this machine lets a thread continue, while the probe exists. A test that
/// compares real times adds this delay to what it tolerates. The tolerance thus grows only on a
/// machine that is as busy.
package final class DelayProbe: Sendable {
  private final class State: Sendable {
    let isOver = Atomic(false)
    let longest = Atomic<Int64>(0)
  }

  private static let stepMilliseconds = 10
  private let state = State()

  package init() {
    let state = state
    _ = WaitingThread {
      while !state.isOver.load(ordering: .relaxed) {
        let start = ContinuousClock.now
        usleep(UInt32(Self.stepMilliseconds) * 1000)
        let late = start.duration(to: .now) - .milliseconds(Self.stepMilliseconds)
        let (seconds, attoseconds) = late.components
        state.longest.max(seconds * 1000 + attoseconds / 1_000_000_000_000_000, ordering: .relaxed)
      }
    }
  }

  deinit { state.isOver.store(true, ordering: .relaxed) }

  /// The longest delay so far.
  package var longest: Duration { .milliseconds(state.longest.load(ordering: .relaxed)) }

  /// The time by which a limit of the test may be missed: the given time, or twice the longest
  /// delay if this is longer, since two threads take part in what the test measures.
  package func slack(atLeast usual: Duration) -> Duration { max(usual, longest * 2) }
}
