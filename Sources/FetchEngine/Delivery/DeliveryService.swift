package import FetchHost
package import FetchModel
package import FetchStore
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

  /// A delivery that waits or was given up is to go out now: the store has it pending again.
  func deliveryRevived(_ delivery: Delivery) {
    var waiting = delivery
    waiting.payload = ""
    state.withLock { state in
      state.forced.insert(waiting.id)
      state.queue.add(waiting)
      // Its hook may be one of a rate that has not been asked for.
      state.isStale = true
    }
    poke()
  }

  /// A delivery is in the outbox no more.
  func deliveryDropped(_ id: Int64) {
    state.withLock { $0.queue.remove([id]) }
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

extension DeliveryService {
  /// What it works with.
  package struct Setup: Sendable {
    package var store: any Store
    package var hooks: HookRegistry
    package var sinks: @Sendable (HookConfig) -> any DeliverySink
    package var time: RunTime
    package var clock: any Clock<Duration> = HostClock()
    /// Gets what becomes of deliveries, and what goes wrong and ends nothing.
    package var events = EventSink.none
    /// What its user is told to type.
    package var suggested = SuggestedCommand()

    package init(
      store: any Store, hooks: HookRegistry, time: RunTime,
      sinks: @escaping @Sendable (HookConfig) -> any DeliverySink
    ) {
      self.store = store
      self.hooks = hooks
      self.time = time
      self.sinks = sinks
    }
  }
}

extension DeliveryService {
  /// What it knows of the outbox, and what is under way.
  struct State {
    var queue = DeliveryQueue()
    var lastID: Int64 = 0
    /// Whether there may be more in the store.
    var isStale = true
    /// The reads of the outbox in a row that the store refused.
    var failedReadCount = 0
    /// When the outbox is read again that could not be read; nil: the last read succeeded.
    var readAgainAt: Timestamp?
    /// Whether what is kept of rates may be of other hooks than these.
    var areHooksNew = true
    var sinks: [String: any DeliverySink] = [:]
    var attempts: [UInt64: Task<Void, Never>] = [:]
    var lastAttempt: UInt64 = 0
    /// Those that a person wants sent now.
    var forced: Set<Int64> = []
    /// Those that have gone out, and are in the store still.
    var told: Set<Int64> = []
    /// Why deliveries of a hook were last postponed, as was told.
    var postponements: [String: String] = [:]

    /// Until what a hook with a rate has sent is known, nothing goes out: it might be too much.
    var knowsPaces: Bool { queue.hooksWithoutPace.isEmpty }

    /// When there is something to do if nothing happens before; nil: nothing is.
    func nextWake(now: Timestamp) -> Timestamp? {
      let next = knowsPaces ? queue.nextWake(now: now) : nil
      guard let readAgainAt else { return next }
      return next.map { min($0, readAgainAt) } ?? readAgainAt
    }

    func isReadDue(_ now: Timestamp) -> Bool { readAgainAt.map { $0 <= now } ?? false }

    mutating func readFailed(now: Timestamp) {
      failedReadCount += 1
      readAgainAt = now + Backoff.storeRead.longest(failures: failedReadCount)
    }

    mutating func readSucceeded() {
      failedReadCount = 0
      readAgainAt = nil
    }

    /// What became of deliveries, once it is written down.
    mutating func take(_ noted: [Delivery]) {
      for var delivery in noted where delivery.state == .pending {
        delivery.payload = ""
        queue.add(delivery)
      }
      queue.remove(Set(noted.filter { $0.state == .dead }.map(\.id)))
    }
  }
}
