import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Synchronization

/// Delivers what the outbox has, in order for each hook and job, until it was taken or is given up.
///
/// The one place where deliveries meet the clock. A row goes only after its receiver has taken it: a
/// process that ends in between delivers it again, with the same key.
package final class DeliveryService: Sendable {
  let setup: Setup
  let state: Mutex<State>
  private let loop: WakeLoop

  package init(_ setup: Setup) {
    self.setup = setup
    var state = State()
    state.queue.setHooks(setup.hooks.all)
    self.state = Mutex(state)
    loop = WakeLoop(now: setup.time.now, clock: setup.clock)
  }

  // MARK: What others say

  func poke() { loop.poke() }

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
      if state.readAgainAt != nil { state.isStale = true }
    }
    loop.clockWasSet()
  }

  /// Begins nothing more; `run` returns when what is under way has ended.
  package func drain() { loop.drain() }

  private func cancelAttempts() {
    for task in state.withLock({ Array($0.attempts.values) }) { task.cancel() }
  }

  /// Waiting and under way, of hooks that are known.
  package var pendingCount: Int { state.withLock { $0.queue.count } }

  // MARK: The loop

  /// Delivers until the ending. A cancelled task breaks off what is under way; that goes out again
  /// another time.
  package func run(until ending: WakeLoop.Ending) async {
    await loop.run(until: ending) {
      await readOutbox()
      await keepNewTimes()
      await renewKeptPaces()
      await beginAll()
      return rest
    } onCancel: {
      cancelAttempts()
    }
    while let task = state.withLock({ $0.attempts.values.first }) { await task.value }
  }

  private var rest: WakeLoop.Rest {
    let now = setup.time.now()
    return state.withLock { state in
      WakeLoop.Rest(
        isBusy: !state.attempts.isEmpty || state.isStale, nextAt: state.nextWake(now: now))
    }
  }

  private func beginAll() async {
    let now = setup.time.now()
    let starts = state.withLock { state in
      loop.isDraining || !state.knowsPaces ? [] : state.queue.begin(now: now)
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
}
