import FetchHost
import FetchValues
import Synchronization

/// The loop of a service that sleeps until it has something to do. It takes a turn when it is poked
/// and when the time comes that the last turn returned, and at no other time.
///
/// The service decides what a turn does. The loop owns the pokes, the timer, the drain, the
/// patience and the cancellation. Turns never overlap; pokes during a turn become one more turn.
package final class WakeLoop: Sendable {
  /// The condition that ends a loop, besides a drain or its task's cancellation. It never ends
  /// while something is under way.
  package enum Ending: Sendable {
    /// Ends when nothing begins within that time.
    case idle(patience: Duration)
    /// Ends only when it is drained or its task is cancelled.
    case stopped
  }

  /// The work that a turn leaves.
  struct Rest: Sendable {
    /// Whether something is under way whose end pokes the loop: the loop does not end before.
    var isBusy = false
    /// The time at which the next work begins; nil if only a poke starts work.
    var nextAt: Timestamp?
    /// The time for another look in any case, for changes without a poke. An idle loop does not
    /// wait for it.
    var lookAt: Timestamp?

    fileprivate var wakeAt: Timestamp? {
      guard let nextAt, let lookAt else { return nextAt ?? lookAt }
      return min(nextAt, lookAt)
    }
  }

  private struct Timer {
    var at: Timestamp
    var task: Task<Void, Never>
  }

  private struct State {
    var isDraining = false
    /// Replaces the ending with which `run` was called.
    var otherEnding: Ending?
    var timer: Timer?

    mutating func dropTimer() {
      timer?.task.cancel()
      timer = nil
    }
  }

  private let now: @Sendable () -> Timestamp
  private let clock: any Clock<Duration>
  private let state = Mutex(State())
  private let pokes: AsyncStream<Void>
  private let poker: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - now: returns the time for turns.
  ///   - clock: the clock on which the timer sleeps.
  init(now: @escaping @Sendable () -> Timestamp, clock: any Clock<Duration>) {
    self.now = now
    self.clock = clock
    (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: Signals

  /// Reports a change: the loop takes a turn immediately.
  func poke() { poker.yield() }

  /// Call after the wall clock was changed: an earlier timer would fire too late or too early.
  func clockWasSet() {
    state.withLock { $0.dropTimer() }
    poke()
  }

  /// Lets the loop end as soon as nothing is under way. Turns check `isDraining`.
  func drain() {
    state.withLock { $0.isDraining = true }
    poke()
  }

  /// Whether turns must begin nothing more.
  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Replaces the ending, also before the loop has begun.
  func setEnding(_ ending: Ending) {
    state.withLock { $0.otherEnding = ending }
    poke()
  }

  // MARK: The loop

  /// Takes turns until the ending, the first one immediately.
  ///
  /// A cancelled task takes no more turns and calls `onCancel` immediately. Work may still be under
  /// way when this returns, and the caller waits for it.
  func run(
    until ending: Ending, turn: () async -> Rest, onCancel: @Sendable () -> Void = {}
  ) async {
    await withTaskCancellationHandler {
      poke()
      for await _ in pokes {
        let rest = await turn()
        if isOver(rest, ending) { break }
        setTimer(rest.wakeAt)
      }
    } onCancel: {
      drain()
      onCancel()
    }
    state.withLock { $0.dropTimer() }
  }

  private func isOver(_ rest: Rest, _ ending: Ending) -> Bool {
    if rest.isBusy { return false }
    let (isDraining, ending) = state.withLock { ($0.isDraining, $0.otherEnding ?? ending) }
    if isDraining { return true }
    guard case .idle(let patience) = ending else { return false }
    guard let nextAt = rest.nextAt else { return true }
    return nextAt - now() > patience
  }

  private func setTimer(_ wake: Timestamp?) {
    state.withLock { state in
      guard !state.isDraining, let wake else { return state.dropTimer() }
      let now = now()
      // A timer that fires early is cheaper than another one: the turn then sets the next.
      if let timer = state.timer, timer.at <= wake, timer.at > now { return }
      state.dropTimer()
      let (clock, delay) = (clock, max(wake - now, .zero))
      let task = Task(executorPreference: HostExecutor.shared) { [self] in
        do { try await clock.sleep(for: delay) } catch { return }
        self.state.withLock { if $0.timer?.at == wake { $0.timer = nil } }
        poke()
      }
      state.timer = Timer(at: wake, task: task)
    }
  }
}
