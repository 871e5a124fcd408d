import FetchHost
package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchValues
import Synchronization

/// The service that subscribes to the hubs of feeds, renews the leases, and learns how reliably the
/// hubs push.
///
/// `Subscription` and `NewsWatch` make the decisions. The service sends the requests and stores the
/// results.
package final class SubscriptionService: Sendable {
  /// The parts of the daemon that the service uses.
  package struct Setup: Sendable {
    package var store: any Store
    package var jobs: ScheduledJobs
    /// The function that asks a hub for a subscription. Its second argument is the callback
    /// address.
    package var ask: @Sendable (Subscription, _ callback: String) async -> HubRequests.Answer
    package var time: RunTime
    package var clock: any Clock<Duration>
    package var events: EventSink
    /// The function that returns whether the config allows a job to subscribe.
    package var allows: @Sendable (JobName) -> Bool
    /// The function that wakes the run loop, which then starts triggered jobs.
    package var onTrigger: @Sendable () -> Void = {}
  }

  struct State {
    private(set) var subscriptions: [Int64: Subscription] = [:]
    /// The ids of the subscriptions of each job, in ascending order.
    private var ids: [JobName: [Int64]] = [:]
    var watches: [JobName: NewsWatch] = [:]
    /// The latest hub discovery of each job whose subscriptions may have to change.
    var found: [JobName: HubDiscovery] = [:]
    /// The ids of the subscriptions with changes that are not stored yet.
    var unsaved: Set<Int64> = []
    /// Whether the unsaved changes must be stored now instead of within a minute.
    var isUrgent = false
    var isLoaded = false
    /// The address at which hubs reach the web process; nil if there is none.
    var server: String?
    var missedCount = 0
    /// The requests to hubs that are under way, by the subscription's id.
    var requests: [Int64: Task<Void, Never>] = [:]
    /// The time by which the unsaved changes must be stored; nil if no time is set.
    var savesAt: Timestamp?
    var failedReads = 0

    /// The numbers of requests under way, by hub.
    var requestCounts: [String: Int] {
      requests.keys.reduce(into: [:]) { counts, id in
        if let hub = subscriptions[id]?.hub { counts[hub, default: 0] += 1 }
      }
    }

    subscript(id: Int64) -> Subscription? {
      get { subscriptions[id] }
      set {
        if let newValue, subscriptions[id] == nil {
          ids[newValue.job] = (ids[newValue.job, default: []] + [id]).sorted()
        } else if newValue == nil, let job = subscriptions[id]?.job {
          ids[job]?.removeAll { $0 == id }
          if ids[job]?.isEmpty == true { ids[job] = nil }
        }
        subscriptions[id] = newValue
      }
    }

    /// Returns a job's subscriptions that have not ended, in the order of their ids.
    func subscriptions(of job: JobName) -> [Subscription] {
      ids[job, default: []].compactMap { subscriptions[$0] }.filter { $0.state != .ended }
    }
  }

  let setup: Setup
  let loop: WakeLoop
  let state: Mutex<State>

  /// The delay before changes of counts are stored. A hub may push thousands of times in a short
  /// time. The pushes are therefore not stored one by one.
  static let savingPeriod: Duration = .seconds(60)
  /// The maximum number of simultaneous requests to hubs.
  static let requestsMax = 8
  /// The maximum number of simultaneous requests to one hub. A hub that does not answer therefore
  /// does not delay the requests to other hubs.
  static let requestsPerHubMax = 2

  package init(_ setup: Setup, server: String?) {
    self.setup = setup
    loop = WakeLoop(now: setup.time.now, clock: setup.clock)
    var state = State()
    state.server = server
    self.state = Mutex(state)
  }

  package func drain() { loop.drain() }
  func clockWasSet() { loop.clockWasSet() }

  /// Applies a new config. If the config has a new server address, the hubs are asked again for all
  /// subscriptions that have not ended.
  func configChanged(server: String?) {
    let now = setup.time.now()
    state.withLock { state in
      if state.server != server, server != nil {
        for id in state.subscriptions.keys { state[id]?.renew(at: now) }
      }
      state.server = server
    }
    loop.poke()
  }

  /// Maintains the subscriptions until the service is drained or the task is cancelled.
  package func run() async {
    await loop.run(until: .stopped) {
      let nextAt = await turn().nextAt
      return WakeLoop.Rest(isBusy: state.withLock { !$0.requests.isEmpty }, nextAt: nextAt)
    } onCancel: {
      cancelRequests()
    }
    // The last turn may have begun requests after the cancellation.
    if Task.isCancelled { cancelRequests() }
    await untilAnswered()
    await save(all: true)
  }

  /// Takes turns, with the hubs' answers after each turn, until a turn sends no request to a hub.
  /// Returns the time at which `step` must be called again; nil if there is no such time.
  package func step() async -> Timestamp? {
    var last = await turn()
    while last.hasAsked {
      await untilAnswered()
      last = await turn()
    }
    return last.nextAt
  }

  /// Takes all due steps of subscriptions, and saves changes. Begins requests to hubs, but does not
  /// wait for the answers. A draining service takes no steps. Returns the time of the next turn,
  /// and whether the turn began a request. The time is nil if only a poke requires a turn.
  private func turn() async -> (nextAt: Timestamp?, hasAsked: Bool) {
    guard await load() else {
      let failures = state.withLock { $0.failedReads }
      return (setup.time.now() + Backoff.storeRead.longest(failures: failures), false)
    }
    var hasAsked = false
    if !loop.isDraining {
      await takeFound()
      endUnwanted()
      noteTime()
      hasAsked = await askHubs()
    }
    await save(all: loop.isDraining)
    publish()
    return (nextAt, hasAsked)
  }

  private var nextAt: Timestamp? {
    let now = setup.time.now()
    return state.withLock { state in
      var times: [Timestamp] = state.watches.values.compactMap(\.nextAt)
      // Hubs are not asked while the web process has no address. If too many requests are under
      // way, to all hubs or to one, the end of one causes the next turn.
      let hasRoom = state.server != nil && state.requests.count < Self.requestsMax
      let counts = state.requestCounts
      if let savesAt = state.savesAt { times.append(savesAt) }
      for subscription in state.subscriptions.values {
        if subscription.state == .active, let end = subscription.leaseEndsAt { times.append(end) }
        guard let next = subscription.nextAt, state.requests[subscription.id] == nil else {
          continue
        }
        let mayAsk = hasRoom && counts[subscription.hub, default: 0] < Self.requestsPerHubMax
        if mayAsk || next > now { times.append(next) }
      }
      return times.min().map { max($0, now + .milliseconds(1)) }
    }
  }

  // MARK: The store

  /// Loads the stored subscriptions, unless they were loaded before. Returns whether they are
  /// loaded.
  private func load() async -> Bool {
    if state.withLock({ $0.isLoaded }) { return true }
    do throws(StoreError) {
      let all = try await setup.store.subscriptions()
      state.withLock { state in
        for subscription in all where state[subscription.id] == nil {
          state[subscription.id] = subscription
        }
        state.isLoaded = true
        state.failedReads = 0
      }
      return true
    } catch {
      let isFirst = state.withLock { state in
        state.failedReads += 1
        return state.failedReads == 1
      }
      if isFirst { setup.events.emit(.storeRefused(.subscriptions, error)) }
      return false
    }
  }

  /// Stores the changes, and removes ended subscriptions that are no longer needed. Changes of
  /// counts alone are stored once a minute, or now if `all` is true. Returns false if the store
  /// reports an error.
  @discardableResult
  func save(all: Bool) async -> Bool {
    let now = setup.time.now()
    let (changed, gone) = state.withLock { state -> ([Subscription], [Subscription]) in
      let gone = state.subscriptions.values.filter { $0.isForgettable(at: now) }
      for subscription in gone { state[subscription.id] = nil }
      state.unsaved.subtract(gone.map(\.id))
      guard all || state.isUrgent || state.savesAt.map({ now >= $0 }) ?? false else {
        return ([], gone)
      }
      let changed = state.unsaved.compactMap { state.subscriptions[$0] }
      state.unsaved = []
      state.isUrgent = false
      state.savesAt = nil
      return (changed, gone)
    }
    do throws(StoreError) {
      try await setup.store.update(changed)
      try await setup.store.removeSubscriptions(gone.map(\.id))
      return true
    } catch {
      setup.events.emit(.storeRefused(.subscriptions, error))
      state.withLock { state in
        for subscription in gone { state[subscription.id] = subscription }
        state.unsaved.formUnion(changed.map(\.id))
        state.savesAt = now + Self.savingPeriod
      }
      return false
    }
  }

  /// Changes a subscription in memory. Returns the result of `body`; nil if there is no
  /// subscription with the id. `isUrgent` is false if the change may be stored up to a minute
  /// later.
  func change<T>(
    _ id: Int64, isUrgent: Bool = true, _ body: (inout Subscription) -> T
  ) -> T? {
    let now = setup.time.now()
    return state.withLock { state in
      guard var subscription = state[id] else { return nil }
      defer { state[id] = subscription }
      state.unsaved.insert(id)
      state.isUrgent = state.isUrgent || isUrgent
      state.savesAt = state.savesAt ?? now + Self.savingPeriod
      return body(&subscription)
    }
  }

  /// Returns a random number in 0..<1.
  func chance() -> Double { Double(setup.time.random() >> 11) * 0x1p-53 }

  // MARK: Steps

  /// Ends the subscriptions of jobs that are removed, disabled or not allowed to subscribe.
  private func endUnwanted() {
    let jobs = Set(
      state.withLock { state in
        state.subscriptions.values.filter { $0.state != .ended }.map(\.job)
      })
    for job in jobs.subtracting(wanted(jobs)) { endAll(of: job) }
  }

  /// Returns the given jobs that exist, are enabled and are allowed to subscribe.
  private func wanted(_ jobs: Set<JobName>) -> Set<JobName> {
    let enabled = setup.jobs.look { scheduler in
      jobs.filter { job in scheduler.number(of: job).map { scheduler.isEnabled($0) } ?? false }
    }
    return enabled.filter { setup.allows($0) }
  }

  private func endAll(of job: JobName, but kept: Int64? = nil) {
    for id in ids(of: job) where id != kept { _ = change(id) { $0.end() } }
    state.withLock { if kept == nil { $0.watches[job] = nil } }
  }

  private func ids(of job: JobName) -> [Int64] {
    state.withLock { $0.subscriptions(of: job).map(\.id) }
  }

  /// Applies the hub discoveries of the jobs that may subscribe. Subscribes each of these jobs to
  /// the hub that was found, if any, and ends its other subscriptions. Does nothing while the web
  /// process has no address.
  private func takeFound() async {
    let found = state.withLock { state -> [JobName: HubDiscovery] in
      guard state.server != nil else { return [:] }
      defer { state.found = [:] }
      return state.found
    }
    let wanted = wanted(Set(found.keys))
    for (job, discovery) in found.sorted(by: { $0.key < $1.key }) where wanted.contains(job) {
      switch discovery {
      case .none: endAll(of: job)
      case .hub(let hub, let topic): await subscribe(job, hub: hub, topic: topic)
      }
    }
  }

  private func subscribe(_ job: JobName, hub: String, topic: String) async {
    let known = state.withLock { state in
      state.subscriptions(of: job).first { $0.isAbout(topic, at: hub) }
    }
    if let known { return endAll(of: job, but: known.id) }
    var new = Subscription(
      job: job, topic: topic, hub: hub, capability: bytes(Subscription.capabilityBytes),
      secret: bytes(Subscription.secretBytes))
    new.nextAt = setup.time.now()
    do throws(StoreError) {
      new.id = try await setup.store.add(new)
      state.withLock { [new] in $0[new.id] = new }
      endAll(of: job, but: new.id)
    } catch {
      // If the next full answer of the feed names a hub, the service tries to subscribe again.
      setup.events.emit(.storeRefused(.subscriptions, error))
    }
  }

  private func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let word = setup.time.random()
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }
    return Array(bytes.prefix(count))
  }

  /// Ends leases that were not renewed, counts news that no push has reported, and triggers the
  /// runs that must be repeated.
  private func noteTime() {
    let now = setup.time.now()
    let (ended, missed, repeated) = state.withLock { state in
      let ended = state.subscriptions.values.filter {
        $0.state == .active && $0.leaseEndsAt.map { now >= $0 } ?? true
      }.map(\.id)
      var missed: [JobName] = []
      var repeated: [JobName] = []
      for job in state.watches.keys {
        if state.watches[job]?.takeMissed(at: now) == true { missed.append(job) }
        if state.watches[job]?.takeRepeat(at: now) == true { repeated.append(job) }
      }
      state.missedCount += missed.count
      return (ended, missed.sorted(), repeated.sorted())
    }
    for id in ended { _ = change(id) { $0.noteTime(now) } }
    for job in missed {
      for id in ids(of: job) {
        _ = change(id, isUrgent: false) {
          $0.missedCount += 1
          $0.trust.noteMissed(at: now)
        }
      }
    }
    for job in repeated {
      setup.jobs.askFresh(job)
      _ = setup.jobs.trigger(job, .push, now: now)
    }
    if !repeated.isEmpty { setup.onTrigger() }
  }

  func report(_ notice: Subscription.Notice, _ subscription: Subscription) {
    setup.events.emit(.subscription(job: subscription.job, hub: subscription.hub, notice))
  }

  /// Gives the scheduler, for each job with an active subscription, the share of news that pushes
  /// report in time.
  func publish() {
    let now = setup.time.now()
    let shares = state.withLock { state in
      var shares: [JobName: Double] = [:]
      for subscription in state.subscriptions.values where subscription.isActive(at: now) {
        shares[subscription.job] = subscription.pushedShare(at: now)
      }
      return shares
    }
    setup.jobs.withState { $0.learned.pushedShares = shares }
  }
}
