import FetchHost
import FetchModel
import FetchStoreSQLite
import FetchValues
import Synchronization

/// Delivers what the outbox has, in order for each hook and job, until it was taken or is given up.
///
/// The one place where deliveries meet the clock. A row goes only after its receiver has taken it: a
/// process that ends in between delivers it again, with the same key.
package final class DeliveryService: Sendable {
  package enum Ending: Sendable {
    /// When nothing is under way and nothing would go out within that time.
    case idle(patience: Duration)
    /// When it is drained or its task is cancelled.
    case stopped
  }

  let setup: Setup
  let state: Mutex<State>
  private let pokes: AsyncStream<Void>
  private let poker: AsyncStream<Void>.Continuation

  package init(_ setup: Setup) {
    self.setup = setup
    var state = State()
    state.queue.setHooks(setup.hooks.all)
    self.state = Mutex(state)
    (pokes, poker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: What others say

  func poke() { poker.yield() }

  /// Runs have written deliveries.
  package func storeChanged() {
    state.withLock { $0.isStale = true }
    poke()
  }

  /// The hooks of the book are others now.
  package func hooksChanged() {
    let hooks = setup.hooks.all
    state.withLock { state in
      state.queue.setHooks(hooks)
      state.isStale = true
      state.areHooksNew = true
      state.sinks = [:]
    }
    poke()
  }

  /// The clock was set: who sleeps until a time would come too late by as much.
  package func clockWasSet() {
    state.withLock { state in
      if state.retry.at != nil { state.isStale = true }
      state.timer?.task.cancel()
      state.timer = nil
    }
    poke()
  }

  /// Begins nothing more; `run` returns when what is under way has ended.
  package func drain() {
    state.withLock { $0.isDraining = true }
    poke()
  }

  private func cancelAttempts() {
    for task in state.withLock({ Array($0.attempts.values) }) { task.cancel() }
  }

  /// Waiting and under way, of hooks that are known.
  package var pendingCount: Int { state.withLock { $0.queue.count } }

  // MARK: The loop

  /// Delivers until the ending. A cancelled task breaks off what is under way; that goes out again
  /// another time.
  package func run(until ending: Ending) async {
    await withTaskCancellationHandler {
      poke()
      for await _ in pokes {
        readOutbox()
        await keepNewTimes()
        await renewKeptPaces()
        await beginAll()
        if isOver(ending) { break }
        setTimer()
      }
      while let task = state.withLock({ $0.attempts.values.first }) { await task.value }
    } onCancel: {
      drain()
      cancelAttempts()
    }
    state.withLock { state in
      state.timer?.task.cancel()
      state.timer = nil
    }
  }

  private func isOver(_ ending: Ending) -> Bool {
    let now = setup.time.now()
    return state.withLock { state in
      guard state.attempts.isEmpty, !state.isStale else { return false }
      if state.isDraining { return true }
      guard case .idle(let patience) = ending else { return false }
      guard let wake = state.nextWake(now: now) else { return true }
      return wake - now > patience
    }
  }

  private func beginAll() async {
    let now = setup.time.now()
    let starts = state.withLock { state in
      state.isDraining || !state.knowsPaces ? [] : state.queue.begin(now: now)
    }
    for start in starts {
      // Under the lock: its end must not come before it is known.
      state.withLock { state in
        state.lastAttempt += 1
        let number = state.lastAttempt
        state.attempts[number] = Task(executorPreference: HostExecutor.shared) { [self] in
          await attempt(start)
          self.state.withLock { state in
            state.queue.end(start)
            state.attempts[number] = nil
          }
          poke()
        }
      }
    }
  }

  private func setTimer() {
    let now = setup.time.now()
    state.withLock { state in
      guard !state.isDraining, let wake = state.nextWake(now: now) else { return }
      if let timer = state.timer, timer.at <= wake, timer.at > now { return }
      state.timer?.task.cancel()
      let delay = max(wake - now, .zero)
      let clock = setup.clock
      let task = Task(executorPreference: HostExecutor.shared) { [self] in
        do { try await clock.sleep(for: delay) } catch { return }
        self.state.withLock { if $0.timer?.at == wake { $0.timer = nil } }
        poke()
      }
      state.timer = (wake, task)
    }
  }
}
