import FetchHost
import FetchValues
import Synchronization

/// The loop of a service that sleeps until there is something to do. The loop takes a turn when it
/// is poked, and at the wake time in the result of the previous turn (`Rest`).
///
/// The service decides what a turn does. Turns never overlap. All pokes during a turn together
/// cause one more turn.
package final class WakeLoop: Sendable {
  /// The condition that ends a loop. A drain or the cancellation of the loop's task also ends the
  /// loop. Only a cancellation ends the loop while work is under way.
  package enum Ending: Sendable {
    /// The loop ends as soon as no work is planned to begin within the given time.
    case idle(patience: Duration)
    /// The loop ends only when it is drained or its task is cancelled.
    case stopped
  }

  /// The work that remains after a turn.
  struct Rest: Sendable {
    /// Whether work is under way. The service pokes the loop when this work ends.
    var isBusy = false
    /// The time at which the next planned work begins; nil if no work is planned.
    var nextAt: Timestamp?
    /// The time of another turn for changes that no poke reports; nil if no such turn is needed.
    /// This time does not keep a loop with the ending `idle` from ending.
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
    /// The ending that replaces the ending passed to `run`; nil if it was not replaced.
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

  init(now: @escaping @Sendable () -> Timestamp, clock: any Clock<Duration>) {
    self.now = now
    self.clock = clock
    (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: Signals

  /// Reports a change, so that the loop takes a turn immediately.
  func poke() { poker.yield() }

  /// Restarts the timer. Call this function after the wall clock was changed, since the timer would
  /// fire too late or too early.
  func clockWasSet() {
    state.withLock { $0.dropTimer() }
    poke()
  }

  /// Makes the loop end as soon as no work is under way. Turns must check `isDraining` before they
  /// begin work.
  func drain() {
    state.withLock { $0.isDraining = true }
    poke()
  }

  /// Whether turns must not begin new work.
  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Replaces the ending, even before the loop has begun.
  func setEnding(_ ending: Ending) {
    state.withLock { $0.otherEnding = ending }
    poke()
  }

  // MARK: The loop

  /// Takes turns until the ending is reached. The first turn begins immediately.
  ///
  /// If the task is cancelled, the loop calls `onCancel` immediately. Work may still be under way
  /// when this function returns. The caller must wait for the end of that work.
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
      // A timer that fires no later than `wake` is kept, since this is cheaper than a new timer.
      // The turn that it causes sets the next timer.
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
