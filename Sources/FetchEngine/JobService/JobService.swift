package import FetchConfig
import FetchHost
package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchValues
import Synchronization

/// The jobs of a config, with one scheduler, one budget, and the services that the runs need.
package struct JobService: Sendable {
  package let jobs: ScheduledJobs
  package let loop: RunLoop
  package let memory: ScheduleMemory
  package let transfers: TransferService
  package let deliveries: DeliveryService
  package let stale: StaleWatch
  package let subscriptions: SubscriptionService
  package let upkeep: StoreUpkeep
  private let staleLook: StaleLook
  private let hooks: HookRegistry
  private let known: KnownJobs
  private let store: any Store
  private let lanes: RequestLanes
  private let time: RunTime
  private let keeping: FailureKeeping
  private let runs: RunPipeline
  private let changes = ChangeWatchers()
  private let metrics = DaemonMetrics()
  private let clock: any Clock<Duration>
  private let startedAt: Timestamp

  /// - Parameters:
  ///   - pipeline: a pipeline without lanes. The service adds the lanes through which its runs send
  ///     requests.
  ///   - noting: the rule for when unfinished runs are written to the store.
  ///   - runsOnce: see `ScheduledJobs`.
  ///   - plansAhead: see `LearnedSchedules`.
  ///   - environment: the environment of hook commands.
  ///   - luaHooks: the hook files of the config.
  ///   - events: receives all events from now on.
  package init(
    _ config: Config, pipeline: RunPipeline, noting: RunJournaling, runsOnce: Bool = false,
    plansAhead: Bool = true,
    local: ZoneOffsets, environment: [String: String] = [:],
    luaHooks: LuaHooks = LuaHooks(), clock: any Clock<Duration> = HostClock(),
    events: EventSink
  ) async throws(StoreError) {
    let subscriptionEnds = LateSubscriptions()
    // Only a daemon answers requests for its metrics.
    let counted = runsOnce ? events : events.and(metrics.sink)
    let events = counted.and(
      EventSink { [changes] event in
        // The runs for ended transfers are not runs of the loop. All ended runs are therefore
        // reported here.
        if case .runEnded = event { changes.runEnded() }
      }
    ).and(
      EventSink { [subscriptionEnds] event in
        if case .runEnded(let report) = event { subscriptionEnds.value?.noteRun(report) }
      })
    self.clock = clock
    startedAt = pipeline.services.time.now()
    store = pipeline.services.store
    jobs = try await ScheduledJobs(
      config, remembering: store, local: local, runsOnce: runsOnce,
      now: pipeline.services.time.now())
    jobs.withState { state in
      state.learned.plansAhead = plansAhead
      // A new store gets a random seed. The store keeps this seed.
      if state.scheduler.jitter == Jitter() {
        state.scheduler.jitter = Jitter(seed: pipeline.services.time.random())
      }
    }
    lanes = RequestLanes(rules: config.lanes, clock: clock)
    var memory = ScheduleMemory(store: pipeline.services.store, events: events)
    let upkeep = StoreUpkeep(
      store: pipeline.services.store, jobs: jobs, retention: config.keep,
      time: pipeline.services.time, clock: clock,
      events: events)
    memory.onKept = { upkeep.poke() }
    memory.metrics = metrics
    self.memory = memory
    self.upkeep = upkeep
    let pipeline = pipeline.with { [lanes, jobs, metrics] in
      $0.onCommit = metrics.committed(in:)
      $0.policy.lanes = lanes
      $0.budget = jobs
      $0.cooldowns = jobs
      $0.news = .none
    }
    keeping = pipeline.keeping
    runs = pipeline
    keeping.setCount(config.keptFailureCount)
    time = pipeline.services.time
    let known = KnownJobs(jobs: jobs, keepsJobs: runsOnce)
    self.known = known
    known.set(config)
    var transferSetup = TransferService.Setup(
      pipeline: pipeline, engine: HTTPEngine(), gate: ScheduledGate(jobs: jobs, lanes: lanes)
    ) { [grants = pipeline.services.grants] name in
      let standing = known.standing(of: name)
      guard case .ready(let job) = standing else { return standing }
      return grants.isHeld(name) || job.plugin.loadFailure != nil ? .held : standing
    }
    transferSetup.settings = config.transfers
    transferSetup.clock = clock
    transferSetup.events = events
    transferSetup.metrics = metrics
    let transfers = TransferService(transferSetup)
    self.transfers = transfers
    hooks = pipeline.hooks
    hooks.set(config.allHooks, lua: luaHooks)
    let sinks = HookSinks(
      pipeline: pipeline, environment: environment,
      secretVariables: { known.secretVariables }, jobs: known.job(named:), events: events)
    let deliveries = sinks.service(clock: clock, metrics: metrics)
    self.deliveries = deliveries
    let book = StaleNotifier(
      hooks: hooks, store: pipeline.services.store, time: pipeline.services.time, events: events,
      onDeliveries: { deliveries.storeChanged() })
    stale = StaleWatch(jobs: jobs, book: book, time: pipeline.services.time, clock: clock)
    staleLook = StaleLook(book: book, store: pipeline.services.store, events: events)
    let poke = LateLoop()
    var hubPolicy = pipeline.services.settings.policy
    hubPolicy.cooldowns = pipeline.services.settings.cooldowns
    subscriptions = SubscriptionService(
      SubscriptionService.Setup(
        store: pipeline.services.store, jobs: jobs,
        ask: HubRequests(
          transport: pipeline.services.http, policy: hubPolicy,
          gate: ScheduledGate(jobs: jobs, lanes: lanes),
          privateAddresses: { known.job(named: $0)?.grant.privateAddresses ?? .none },
          now: pipeline.services.time.now
        ).ask,
        time: pipeline.services.time, clock: clock, events: events, allows: known.mayUseWebSub,
        onTrigger: { poke.poke() }),
      server: config.web.url)
    subscriptionEnds.set(subscriptions)
    loop = RunLoop(
      pipeline: pipeline.with {
        $0.onTransfers = { transfers.storeChanged() }
        $0.onDeliveries = { deliveries.storeChanged() }
      }, jobs: jobs, memory: memory, noting: noting,
      machine: Self.machine, clock: clock, events: events, changes: changes,
      metrics: metrics)
    poke.set(loop)
    upkeep.setOnRoom { [weak loop] in loop?.poke() }
  }

  /// Checks all scheduled times again. Call this function after the machine's clock was set.
  package func clockWasSet() {
    loop.clockWasSet()
    transfers.clockWasSet()
    deliveries.clockWasSet()
    upkeep.clockWasSet()
    stale.clockWasSet()
    subscriptions.clockWasSet()
  }

  private static let machine: @Sendable () -> MachineState = {
    var state = MachineState()
    state.isOnACPower = PowerSupply.isOnMains()
    state.load = SystemLoad.lastMinute() ?? 0
    return state
  }

  package func now() -> Timestamp { time.now() }

  /// Notifies hooks about stale jobs. Call this function after the runs of a command, before the
  /// command ends.
  package func tellStale(
    _ prepared: [Job], _ config: Config, local: ZoneOffsets
  ) async {
    await staleLook.tellDue(prepared, config, local: local, now: now())
  }

  /// Stores the first due times of new jobs.
  package func keepPlanned() async { await memory.keepPlanned(of: jobs) }

  /// Stores the costs and cooldowns that hooks and transfers have caused, if they are not stored
  /// yet.
  package func keepSpending() async {
    if jobs.hasUnkeptSpending { await memory.keepAll(of: jobs) }
  }

  /// Returns the `JobControl` that answers the requests of other processes.
  ///
  /// - Parameter shelf: returns a new shelf for the plugin of each guest; nil if the process runs
  ///   no guests.
  package func control(
    shelf: (@Sendable () -> PluginShelf)? = nil, claimants: JobControl.Claimants? = nil,
    reload: @escaping @Sendable () async -> ControlEnd
  ) -> JobControl {
    let guests = shelf.map {
      GuestRuns(jobs: jobs, known: known, store: store, now: time.now, shelf: $0)
    }
    return JobControl(
      jobs: jobs, memory: memory, now: time.now, loop: loop, transfers: TransferCommands(transfers),
      deliveries: DeliveryCommands(deliveries), grants: runs.services.grants, reader: store,
      stale: stale,
      runs: runs, hooks: hooks, pushes: known.push(to:), subscriptions: subscriptions,
      guests: guests, changes: changes,
      metrics: metrics,
      startedAt: startedAt,
      clock: clock, claimants: claimants, reload: reload)
  }

  /// Replaces the set of jobs. New jobs get their stored schedules, if there are any. Then ends the
  /// back-off of repaired jobs: see `retryFixed`. `unready`: see `ScheduledJobs.set`.
  package func load(
    _ prepared: [Job], unready: [JobName] = [], local: ZoneOffsets, abandoned: [JobName] = []
  ) async throws(StoreError) {
    let remembered = try await memory.schedules(of: prepared.map(\.name) + unready)
    setJobs(
      prepared, unready: unready, rules: nil, local: local, remembered: remembered,
      abandoned: abandoned)
    try await retryFixed()
  }

  /// Ends the back-off of each job whose plugin was invalid in the last run and loads now. A user
  /// may have fixed the plugin while no daemon ran.
  private func retryFixed() async throws(StoreError) {
    for name in jobs.backingOff() {
      let last = try await store.runs(job: name, limit: 1).first
      if last?.outcome.failure?.code == .invalidPlugin { jobs.retry(name, now: time.now()) }
    }
  }

  private func setJobs(
    _ prepared: [Job], unready: [JobName], rules: ScheduledJobs.Rules?, local: ZoneOffsets,
    remembered: [JobName: JobSchedule], abandoned: [JobName] = []
  ) {
    jobs.set(
      prepared, unready: unready, rules: rules, local: local, remembered: remembered,
      now: time.now())
    jobs.rescue(abandoned, now: time.now())
    known.keep(prepared)
    stale.poke()
    loop.poke()
  }

  /// Replaces the plugins of jobs and keeps the set of jobs. Ignores jobs that no longer exist.
  package func replace(_ prepared: [Job], local: ZoneOffsets) {
    jobs.replace(prepared, local: local, now: time.now())
    transfers.standingsChanged()
    stale.poke()
    loop.poke()
  }

  /// The hook files in use.
  package var luaHooks: LuaHooks { hooks.luaHooks }

  /// The hooks of the present config.
  package var hookConfigs: [HookConfig] { hooks.all }

  /// Makes the waiting deliveries of changed hooks due now, because the change may let them
  /// succeed. Compares Lua hooks with `before`, and the sinks of hooks with `earlier`.
  package func release(
    changedFrom before: LuaHooks, _ earlier: [HookConfig]
  ) async throws(StoreError) {
    var changed = luaHooks.changed(from: before).map(\.name)
    for hook in hookConfigs where !changed.contains(hook.name) {
      let old = earlier.first { $0.name == hook.name }
      if let old, old.sink != hook.sink { changed.append(hook.name) }
    }
    let commands = DeliveryCommands(deliveries)
    for name in changed { try await commands.release(name) }
  }

  /// Replaces the hook files in use, and makes the waiting deliveries of changed hooks due now.
  package func replace(_ luaHooks: LuaHooks) async throws(StoreError) {
    let before = self.luaHooks
    hooks.set(hooks.all, lua: luaHooks)
    jobs.setHooks(luaHooks)
    deliveries.hooksChanged()
    try await release(changedFrom: before, hookConfigs)
  }

  /// Applies another config. Jobs and hooks that have not changed keep their state. If this throws,
  /// the previous config is still in force, because nothing is applied before the store is read.
  package func reload(
    _ config: Config, _ prepared: [Job], unready: [JobName] = [],
    luaHooks: LuaHooks = LuaHooks(), local: ZoneOffsets
  ) async throws(StoreError) {
    let remembered = try await memory.schedules()
    lanes.setRules(config.lanes)
    keeping.setCount(config.keptFailureCount)
    known.set(config)
    hooks.set(config.allHooks, lua: luaHooks)
    deliveries.hooksChanged()
    upkeep.setRetention(config.keep)
    let rules = ScheduledJobs.Rules(lanes: config.lanes, limits: config.limits)
    setJobs(prepared, unready: unready, rules: rules, local: local, remembered: remembered)
    transfers.setSettings(config.transfers)
    subscriptions.configChanged(server: config.web.url)
  }
}
