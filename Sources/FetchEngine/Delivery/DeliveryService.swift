package import FetchHost
package import FetchModel
package import FetchStore
import FetchValues
import Synchronization

/// The service that sends the deliveries of the outbox, in order for each hook and job. It retries
/// each delivery until the receiver accepts it, or until the delivery is given up or dropped.
///
/// The service removes a sent delivery from the outbox only after the receiver has accepted it. If
/// the process ends before the removal, the delivery is sent again with the same key.
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

  // MARK: Reports from other parts

  func poke() { loop.poke() }

  /// Reports that deliveries were written to the store.
  package func storeChanged() {
    state.withLock { $0.isStale = true }
    poke()
  }

  /// Makes a pending or given-up delivery due now. The store must have marked the delivery as
  /// pending before.
  func deliveryRevived(_ delivery: Delivery) {
    var waiting = delivery
    waiting.payload = ""
    state.withLock { state in
      state.forced.insert(waiting.id)
      state.queue.add(waiting)
      // The service may not know yet how much of the hook's rate is used up.
      state.isStale = true
    }
    poke()
  }

  /// Reports that a delivery is no longer in the outbox.
  func deliveryDropped(_ id: Int64) {
    state.withLock { $0.queue.remove([id]) }
    poke()
  }

  /// Reports that the hooks in the registry have changed.
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

  /// Restarts the timer, which could otherwise fire late. Call this function after the wall clock
  /// was changed.
  package func clockWasSet() {
    state.withLock { state in
      if state.readAgainAt != nil { state.isStale = true }
    }
    loop.clockWasSet()
  }

  /// Starts no more attempts. `run` returns when the attempts under way have ended.
  package func drain() { loop.drain() }

  private func cancelAttempts() {
    for task in state.withLock({ Array($0.attempts.values) }) { task.cancel() }
  }

  /// The number of deliveries that wait or are under way. Deliveries of unknown hooks do not count.
  package var pendingCount: Int { state.withLock { $0.queue.count } }

  // MARK: The loop

  /// Sends the deliveries of the outbox until the ending is reached. Returns when all attempts have
  /// ended.
  ///
  /// `attempt` passes each delivery to the sink of its hook: see `HookSinks.sink`. The service
  /// sends one delivery at a time for each hook and job, in the order of ids. A failed delivery
  /// delays the later ones until it succeeds, is given up or is dropped. A digest combines the
  /// deliveries of all the hook's jobs.
  ///
  /// Never throws. A refusal by the store becomes an event, except that successive refusals to read
  /// the outbox become one event. Leaves the deliveries of unknown hooks and of other configs in
  /// the outbox. If the task is cancelled, the attempts under way are interrupted and repeated
  /// later.
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
      // The attempt starts under the lock, so that its end cannot arrive before it is registered.
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
  /// The dependencies of the service.
  package struct Setup: Sendable {
    package var store: any Store
    package var hooks: HookRegistry
    package var sinks: @Sendable (HookConfig) -> any DeliverySink
    package var time: RunTime
    package var clock: any Clock<Duration> = HostClock()
    /// The subscribers to the events of the service.
    package var events = EventSink.none
    /// The metrics that count the attempts.
    package var metrics = DaemonMetrics()
    /// The config and the store for the commands that messages suggest.
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
  /// The part of the outbox that the service has read, and the attempts under way.
  struct State {
    var queue = DeliveryQueue()
    var lastID: Int64 = 0
    /// Whether the store may have deliveries that the service has not read.
    var isStale = true
    /// The number of successive reads of the outbox that the store refused.
    var failedReadCount = 0
    /// The time at which the outbox is read again; nil if the last read succeeded.
    var readAgainAt: Timestamp?
    /// Whether the stored paces may use rates that the config no longer has.
    var areHooksNew = true
    var sinks: [HookName: any DeliverySink] = [:]
    var attempts: [UInt64: Task<Void, Never>] = [:]
    var lastAttempt: UInt64 = 0
    /// The ids of the deliveries that `deliveryRevived` has made due.
    var forced: Set<Int64> = []
    /// The ids of the deliveries that were sent and are still in the store.
    var told: Set<Int64> = []
    /// The last reason why a hook's deliveries were postponed or held, by hook.
    var postponements: [HookName: String] = [:]

    /// Whether the service knows the pace of every hook with a rate and waiting deliveries. Until
    /// then, the service sends nothing, since a delivery might exceed the rate.
    var knowsPaces: Bool { queue.hooksWithoutPace.isEmpty }

    /// Returns the time at which work is due if no report arrives earlier; nil if no work is due at
    /// any time.
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

    /// Updates the queue with the results of deliveries, after the results are stored. A delivery
    /// that was dropped during the attempt stays away.
    mutating func take(_ noted: [Delivery]) {
      for var delivery in noted where delivery.state == .pending {
        delivery.payload = ""
        queue.replace(delivery)
      }
      queue.remove(Set(noted.filter { $0.state == .dead }.map(\.id)))
    }
  }
}
