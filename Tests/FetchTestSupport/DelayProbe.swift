import Glibc
import Synchronization

/// Measures how late this machine lets a thread continue, while the probe exists. A test that
/// compares real times adds this delay to what it tolerates. The tolerance thus grows only on a
/// machine that is as busy.
package final class DelayProbe: Sendable {
  private final class State: Sendable {
    let isOver = Atomic(false)
    /// The longest delay of a sleep that has ended, in milliseconds.
    let longest = Atomic<Int64>(0)
    /// The time at which the present sleep should end, in milliseconds after `start`.
    let due = Atomic<Int64>(0)
    let start = ContinuousClock.now

    /// The milliseconds since `start`.
    var now: Int64 {
      let (seconds, attoseconds) = start.duration(to: .now).components
      return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
  }

  private static let stepMilliseconds: Int64 = 10
  private let state = State()

  package init() {
    let state = state
    state.due.store(Self.stepMilliseconds, ordering: .relaxed)
    _ = WaitingThread {
      while !state.isOver.load(ordering: .relaxed) {
        usleep(UInt32(Self.stepMilliseconds) * 1000)
        let now = state.now
        state.longest.max(now - state.due.load(ordering: .relaxed), ordering: .relaxed)
        state.due.store(now + Self.stepMilliseconds, ordering: .relaxed)
      }
    }
  }

  deinit { state.isOver.store(true, ordering: .relaxed) }

  /// The longest delay so far, including the delay of a sleep that should have ended by now.
  package var longest: Duration {
    let present = state.now - state.due.load(ordering: .relaxed)
    return .milliseconds(max(state.longest.load(ordering: .relaxed), present, 0))
  }

  /// The time by which a limit of the test may be missed: the given time, or twice the longest
  /// delay if this is longer, since two threads take part in what the test measures.
  package func slack(atLeast usual: Duration) -> Duration { max(usual, longest * 2) }
}
