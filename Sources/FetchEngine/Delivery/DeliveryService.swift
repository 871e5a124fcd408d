import FetchHost
package import FetchModel
package import FetchStore
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

  private struct State {
    var queue = DeliveryQueue()
    var lastID: Int64 = 0
    var isStale = true
    var sinks: [String: any DeliverySink] = [:]
    var attempts: [UInt64: Task<Void, Never>] = [:]
    var lastAttempt: UInt64 = 0
    var isDraining = false
    var timer: (at: Timestamp, task: Task<Void, Never>)?
    /// Those that a person wants sent now.
    var urged: Set<Int64> = []
    /// Those that have gone out, and are in the store still.
    var told: Set<Int64> = []
    /// Why deliveries of a hook were last postponed, as was told.
    var postponements: [String: String] = [:]

    /// What became of deliveries, once it is written down.
    mutating func take(_ noted: [Delivery]) {
      for var delivery in noted where delivery.state == .pending {
        delivery.payload = ""
        queue.add(delivery)
      }
      queue.remove(Set(noted.filter { $0.state == .dead }.map(\.id)))
    }
  }

  private let setup: Setup
  private let state: Mutex<State>
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

  private func poke() { poker.yield() }

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
      state.sinks = [:]
    }
    poke()
  }

  /// The clock was set: who sleeps until a time would come too late by as much.
  package func clockWasSet() {
    state.withLock { state in
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
        readChanges()
        readPaces()
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
      guard let wake = state.queue.nextWake(now: now) else { return true }
      return wake - now > patience
    }
  }

  private func readChanges() {
    let after: Int64? = state.withLock { state in
      defer { state.isStale = false }
      return state.isStale ? state.lastID : nil
    }
    guard let after else { return }
    do throws(StoreError) {
      let new = try setup.store.reader.pendingDeliveries(after: after)
      state.withLock { state in
        for delivery in new {
          state.queue.add(delivery)
          state.lastID = max(state.lastID, delivery.id)
        }
      }
    } catch {
      setup.logger("deliveries cannot be read: \(error.message)")
    }
  }

  // MARK: Rates

  /// What hooks with a rate have sent before this process: a restart lets no more out.
  private func readPaces() {
    for hook in state.withLock({ $0.queue.hooksWithoutPace }) {
      var pace = DeliveryPace()
      do throws(StoreError) {
        let kept = try setup.store.reader.ledgerEntry(DeliveryPace.ledgerName(hook))
        if let kept, let known = DeliveryPace(decoding: kept) { pace = known }
      } catch {
        setup.logger("hook '\(hook)': \(error.message)")
      }
      state.withLock { $0.queue.setPace(pace, of: hook) }
    }
  }

  /// Before anything is sent: who is killed then has sent one less than is written down, never more.
  private func keepPace(of hook: String) async throws(StoreError) {
    let now = setup.time.now()
    guard let pace = state.withLock({ $0.queue.encodedPace(of: hook, now: now) }) else { return }
    var memory = SchedulerMemory()
    memory.ledger[DeliveryPace.ledgerName(hook)] = pace
    try await setup.store.remember(memory)
  }

  private func beginAll() async {
    let now = setup.time.now()
    let starts = state.withLock { state in
      state.isDraining ? [] : state.queue.begin(now: now)
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
      guard !state.isDraining, let wake = state.queue.nextWake(now: now) else { return }
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

  // MARK: One attempt

  private func attempt(_ start: DeliveryQueue.Start) async {
    do throws(StoreError) {
      try await keepPace(of: start.hook)
      if start.isNewDigest {
        try await setup.store.update(start.deliveries)
        state.withLock { state in for made in start.deliveries { state.queue.add(made) } }
      }
      let ids = start.deliveries.map(\.id)
      if try await removeTold(among: ids) { return }
      let deliveries = try setup.store.reader.deliveries(ids).filter { $0.state == .pending }
      guard var batch = DeliveryBatch(deliveries, isDigest: start.isDigest),
        let sink = sink(of: start.hook)
      else {
        // Somebody has dropped it.
        return state.withLock { $0.queue.remove(Set(ids)) }
      }
      batch.isUrged = state.withLock { state in ids.contains { state.urged.remove($0) != nil } }
      try await settle(await sink.deliver(batch), deliveries, start)
    } catch {
      setup.logger(
        "hook '\(start.hook)': \(error.message); tried again in 30 s")
      // It keeps its place: what comes later does not overtake it.
      let until = setup.time.now() + Self.storeRest
      state.withLock { $0.queue.delay(Set(start.deliveries.map(\.id)), until: until) }
    }
  }

  /// After so long the store is asked again that did not take what became of a delivery.
  private static let storeRest: Duration = .seconds(30)

  /// Takes deliveries out of the store that have gone out; whether there were any. Those that it does
  /// not take are remembered, and not sent again by this process.
  private func removeTold(among ids: [Int64]) async throws(StoreError) -> Bool {
    let told = state.withLock { $0.told.intersection(ids) }
    if told.isEmpty { return false }
    try await setup.store.removeDeliveries(told.sorted())
    state.withLock { state in
      state.told.subtract(told)
      state.queue.remove(told)
    }
    return true
  }

  /// - Parameter isPartlyTold: whether some of the attempt's deliveries have gone out before these.
  private func settle(
    _ end: DeliveryEnd, _ deliveries: [Delivery], _ start: DeliveryQueue.Start,
    isPartlyTold: Bool = false
  ) async throws(StoreError) {
    switch end {
    case .delivered:
      let ids = deliveries.map(\.id)
      state.withLock { state in
        state.told.formUnion(ids)
        state.postponements[start.hook] = nil
      }
      _ = try await removeTold(among: ids)
    case .partly(let toldCount, let rest):
      // Before all else: what was told is not to be told again, whatever becomes of the others.
      let told = deliveries.prefix(toldCount).map(\.id)
      state.withLock { $0.told.formUnion(told) }
      _ = try await removeTold(among: told)
      let left = Array(deliveries.dropFirst(toldCount))
      try await settle(rest, left, start, isPartlyTold: true)
    case .failed(let failure):
      // What was broken off has not failed.
      if Task.isCancelled { return }
      try await note(failure, deliveries, start.hook)
    case .postponed(let reason, let until):
      if Task.isCancelled { return }
      try await postpone(deliveries, reason, until, start.hook)
    case .held(let reason, let lookAgainAt):
      if Task.isCancelled { return }
      try await hold(deliveries, reason, lookAgainAt, start, isPartlyTold)
    }
  }

  private func sink(of name: String) -> (any DeliverySink)? {
    let known = state.withLock { state in (state.sinks[name], state.queue.hook(named: name)) }
    if let sink = known.0 { return sink }
    guard let hook = known.1 else { return nil }
    let sink = setup.sinks(hook)
    state.withLock { $0.sinks[name] = sink }
    return sink
  }

  private func note(
    _ failure: DeliveryFailure, _ deliveries: [Delivery], _ name: String
  ) async throws(StoreError) {
    let deadAfter =
      state.withLock { $0.queue.hook(named: name)?.deadAfter } ?? HookConfig.deadAfterUnlessSet
    let now = setup.time.now()
    let chance = Double(setup.time.random() >> 11) * 0x1p-53
    let noted = deliveries.map {
      DeliveryRetry.failed($0, failure, deadAfter: deadAfter, now: now, chance: chance)
    }
    try await keep(noted)
    tell(noted, failure, name)
  }

  private func postpone(
    _ deliveries: [Delivery], _ reason: String, _ until: Timestamp, _ name: String
  ) async throws(StoreError) {
    try await keep(Self.waiting(deliveries, reason, until: until))
    tellWait(deliveries, reason, name)
  }

  /// No time is written down: whoever goes on with the store sees by its own config whether the hook
  /// is well again.
  private func hold(
    _ deliveries: [Delivery], _ reason: String, _ lookAgainAt: Timestamp,
    _ start: DeliveryQueue.Start, _ isPartlyTold: Bool
  ) async throws(StoreError) {
    try await setup.store.update(Self.waiting(deliveries, reason, until: nil))
    state.withLock { state in
      if !isPartlyTold { state.queue.takeBack(start) }
      state.take(Self.waiting(deliveries, reason, until: lookAgainAt))
    }
    try await keepPace(of: start.hook)
    tellWait(deliveries, reason, start.hook)
  }

  private static func waiting(
    _ deliveries: [Delivery], _ reason: String, until: Timestamp?
  ) -> [Delivery] {
    deliveries.map { delivery in
      var delivery = delivery
      delivery.failure = reason
      delivery.nextAttemptAt = until
      return delivery
    }
  }

  private func tellWait(_ deliveries: [Delivery], _ reason: String, _ name: String) {
    let isNews = deliveries.contains { $0.failure != reason }
    let isUntold = state.withLock { $0.postponements.updateValue(reason, forKey: name) != reason }
    if isNews && isUntold { setup.logger("hook '\(name)': deliveries wait: \(reason)") }
  }

  private func keep(_ noted: [Delivery]) async throws(StoreError) {
    try await setup.store.update(noted)
    state.withLock { $0.take(noted) }
  }

  /// At the first failure and at the last: in between nothing is new.
  private func tell(_ noted: [Delivery], _ failure: DeliveryFailure, _ name: String) {
    guard let first = noted.first else { return }
    if first.state == .dead {
      setup.logger(
        "hook '\(name)': given up delivery \(first.id) of \(first.job): \(failure.message); see "
          + "\(setup.followUp.command("deliveries")) --failed")
    } else if first.attemptCount == 1 {
      setup.logger(
        "hook '\(name)': delivery \(first.id) of \(first.job) is tried again: \(failure.message)")
    }
  }
}

// MARK: What people ask

extension DeliveryService: DeliveryControl {
  /// Lets a delivery that waits or was given up go out now; nil when there is none of that id.
  package func retry(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let revived = try await setup.store.revive(id, now: setup.time.now()) else { return nil }
    var waiting = revived
    waiting.payload = ""
    state.withLock { state in
      state.urged.insert(id)
      state.queue.add(waiting)
    }
    poke()
    return revived
  }

  package func waiting(of hook: String) throws(StoreError) -> [Delivery] {
    try setup.store.reader.waiting(of: hook)
  }

  package func rateOpensAt(for id: Int64) throws(StoreError) -> Timestamp? {
    try setup.store.reader.rateOpensAt(for: id, now: setup.time.now())
  }

  /// Takes a delivery out of the outbox; nil when there is none of that id.
  package func drop(_ id: Int64) async throws(StoreError) -> Delivery? {
    guard let delivery = try setup.store.reader.deliveries([id]).first else { return nil }
    try await setup.store.removeDeliveries([id])
    state.withLock { $0.queue.remove([id]) }
    poke()
    return delivery
  }
}
