package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues
import Synchronization

/// The saving and loading of the scheduler's memory, which survives restarts in the store.
package struct ScheduleMemory: Sendable {
  private let store: any Store
  private let state: StateFolder
  private let events: EventSink
  private let refusals = Refusals()
  /// The function that is called after each periodic attempt to save the memory. It is also called
  /// after a run that ended with an error of the store.
  var onKept: @Sendable () -> Void = {}
  var metrics = DaemonMetrics()

  /// Creates the memory. `events` receives an error of the store once. It receives the same error
  /// again only after another error or a success.
  package init(
    store: any Store, events: EventSink
  ) {
    self.store = store
    state = StateFolder(of: store.address)
    self.events = events
  }

  // MARK: Beginning

  /// Returns the stored schedule of each job. Unreadable schedules are left out.
  package func schedules() async throws(StoreError) -> [JobName: JobSchedule] {
    try await Self.schedules(in: store)
  }

  /// Returns at least the stored schedules of the given jobs. Unreadable schedules are left out.
  func schedules(of jobs: [JobName]) async throws(StoreError) -> [JobName: JobSchedule] {
    try await Self.schedules(of: jobs, in: store)
  }

  /// The maximum number of jobs whose schedules are found by their names. For more jobs, it is
  /// faster to read all schedules.
  private static let namedMax = 100

  static func schedules(
    of jobs: [JobName], in reader: any ScheduleReading
  ) async throws(StoreError) -> [JobName: JobSchedule] {
    guard jobs.count <= namedMax else { return try await Self.schedules(in: reader) }
    var schedules: [JobName: JobSchedule] = [:]
    for memory in try await reader.schedules(of: jobs) {
      schedules[memory.job] = JobSchedule(memory.schedule)
    }
    return schedules
  }

  package static func schedules(
    in reader: any ScheduleReading
  ) async throws(StoreError) -> [JobName: JobSchedule] {
    var schedules: [JobName: JobSchedule] = [:]
    var mark: PageMark?
    repeat {
      let page = try await reader.schedules(after: mark)
      schedules.reserveCapacity(schedules.count + page.elements.count)
      for memory in page.elements { schedules[memory.job] = JobSchedule(memory.schedule) }
      mark = page.next
    } while mark != nil
    return schedules
  }

  /// Returns a scheduler with the stored memory that all jobs share. This memory has the budget,
  /// the cooldowns and `LaneMarks` of hostnames, the pause of all jobs, and the jitter's seed.
  package static func scheduler(
    lanes: LaneRules, limits: BudgetLimits, memory: SharedMemory,
    coolDowns: [ExactText: Timestamp], now: Timestamp
  ) -> Scheduler {
    var budget = Budget(limits, now: now)
    if let bytes = memory.budget { try? budget.restore(encoded: bytes) }
    var scheduler = Scheduler(lanes: lanes, budget: budget, now: now)
    for (origin, until) in coolDowns {
      if let target = try? TargetURL(origin.text) {
        scheduler.close(target.hostname, until: until, now: now)
      }
    }
    for (hostname, bytes) in memory.lanes.sorted(by: { $0.key < $1.key }) {
      if let marks = try? LaneMarks(encoded: bytes) { scheduler.resume(hostname, marks, now: now) }
    }
    if case .since(let time) = memory.pause { scheduler.pauseAll(since: time) }
    if let seed = memory.seed { scheduler.jitter = Jitter(seed: seed) }
    return scheduler
  }

  /// Returns the shared learned data of adaptive jobs. Unreadable parts are left out.
  static func learned(
    _ limits: BudgetLimits, zone: ZoneOffsets, memory: SharedMemory
  ) -> LearnedSchedules {
    var learned = LearnedSchedules(requestsPerHour: limits.requestsPerHour, zone: zone)
    if let bytes = memory.learned, let shared = try? AdaptiveShared(encoded: bytes) {
      learned.resume(shared)
    }
    learned.habits = ReaderHabits(memory)
    return learned
  }

  /// Learns from the reads that were noted since the previous call. Only this function learns
  /// habits, so it does not lock the jobs while it learns.
  func takeReads(into jobs: ScheduledJobs) {
    let reads = ReadLog(state).take()
    if reads.isEmpty { return }
    var (habits, zone) = jobs.withState { ($0.learned.habits, $0.learned.zone) }
    habits.learn(reads, zone: zone)
    jobs.withState { $0.learned.habits = habits }
  }

  // MARK: Keeping

  package func keepSkips(of jobs: ScheduledJobs) async {
    let (memory, changed) = jobs.withState { state in
      var memory = SchedulerMemory()
      memory.skips = state.takeSkips(metrics)
      let changed = state.changed
      if changed.isEmpty && memory.skips.isEmpty { return (memory, changed) }
      for number in changed {
        Self.add(number, state, to: &memory)
      }
      state.changed = []
      memory.rescued = state.rescued
      state.rescued = []
      return (memory, changed)
    }
    if await store(memory) { return }
    jobs.withState { state in
      state.unkeptSkips = Array((memory.skips + state.unkeptSkips).suffix(Self.unkeptSkipsMax))
      state.changed.formUnion(changed)
      state.rescued = memory.rescued + state.rescued
    }
  }

  /// The maximum number of unsaved skips. Without a maximum, they would need more and more space if
  /// a store refuses every request for a long time.
  private static let unkeptSkipsMax = 1000

  /// Saves the first due times of new jobs, for commands that show what is due next.
  func keepPlanned(of jobs: ScheduledJobs) async {
    jobs.withState { state in
      state.changed.formUnion(state.planned)
      state.planned = []
    }
    await keepSkips(of: jobs)
  }

  package func keepAll(of jobs: ScheduledJobs) async {
    var (memory, unkept, retired, habits) = jobs.withState { state in
      var memory = SchedulerMemory()
      let retired = Self.addRetired(&state, to: &memory)
      let unkept = state.unkept
      memory.coolDowns = state.unkept.coolDowns
      // Cooldowns that servers have requested are stored with the runs that received them.
      for closure in state.scheduler.closures() where closure.why != .retryAfter {
        memory.coolDowns[Self.origin(of: closure.hostname)] = closure.until
      }
      if unkept.hasPause { memory.shared.pause = Self.pause(state.scheduler) }
      state.unkept = UnsavedUsage()
      // The encoded budget also counts the costs that are reserved for runs under way.
      memory.shared.budget = state.scheduler.budget.encoded
      memory.shared.learned = state.learned.shared.encoded
      memory.shared.seed = state.scheduler.jitter.seed
      let habits = state.learned.habits
      state.learned.habits.isChanged = false
      return (memory, unkept, retired, habits)
    }
    if habits.isChanged { memory.shared.merge(habits.memory) }
    if await store(memory) { return }
    jobs.withState { state in
      state.unkept.hasCharges = state.unkept.hasCharges || unkept.hasCharges
      state.unkept.hasPause = state.unkept.hasPause || unkept.hasPause
      state.unkept.coolDowns.merge(unkept.coolDowns, uniquingKeysWith: max)
      for name in retired { state.retired[name]?.isChanged = true }
      if habits.isChanged { state.learned.habits.isChanged = true }
    }
  }

  /// Returns the origin under which a cooldown that the scheduler has begun is stored: the hostname
  /// with `https` and the default port.
  static func origin(of hostname: String) -> ExactText { ExactText("https://\(hostname)") }

  /// Saves whether all jobs are paused. If the store refuses the change, a later `keepAll` saves
  /// the pause. Also saves the changed pauses of single jobs.
  package func keepPause(of jobs: ScheduledJobs) async {
    var memory = SchedulerMemory()
    memory.shared.pause = jobs.look { Self.pause($0) }
    if await !store(memory) { jobs.withState { $0.unkept.hasPause = true } }
    await keepSkips(of: jobs)
  }

  private static func pause(_ scheduler: Scheduler) -> SharedMemory.Pause {
    scheduler.pausedSince.map { .since($0) } ?? .over
  }

  private static func add(
    _ number: JobNumber, _ state: ScheduledJobs.State, to memory: inout SchedulerMemory
  ) {
    guard let job = state.jobs[number] else { return }
    let schedule = StoredSchedule(state.scheduler.schedule(of: number), learnedBefore: nil)
    memory.schedules.append((job.name, job.plugin.manifest.name, schedule))
  }

  /// Adds to the memory the retired jobs that have unsaved changes. Returns the names of these
  /// jobs.
  private static func addRetired(
    _ state: inout ScheduledJobs.State, to memory: inout SchedulerMemory
  ) -> [JobName] {
    var added: [JobName] = []
    for (name, job) in state.retired where job.isChanged {
      var schedule = job.schedule
      schedule.quota = job.quota.encoded
      let stored = StoredSchedule(schedule, learnedBefore: schedule.adaptive)
      memory.schedules.append((name, job.plugin, stored))
      state.retired[name]?.isChanged = false
      added.append(name)
    }
    return added
  }

  /// Stores the memory. Returns whether the store accepted it. A repeated failure is reported by
  /// only one event.
  private func store(_ memory: SchedulerMemory) async -> Bool {
    if memory.isEmpty { return true }
    do {
      try await store.remember(memory)
      refusals.last.withLock { $0 = nil }
      return true
    } catch {
      let isNew = refusals.last.withLock { last in
        defer { last = error }
        return last != error
      }
      if isNew { events.emit(.storeRefused(.schedules, error)) }
      return false
    }
  }
}

/// The error of the last attempt to store the memory; nil if the attempt succeeded.
private final class Refusals: Sendable {
  let last = Mutex<StoreError?>(nil)
}

extension ScheduledJobs.State {
  /// Removes and returns the skips since the previous call. Skips that the store refused come
  /// first.
  fileprivate mutating func takeSkips(_ metrics: DaemonMetrics) -> [SkipRecord] {
    let new = scheduler.takeSkips().map { skip in
      metrics.skipped(skip.reason)
      return SkipRecord(job: scheduler[skip.job].name, at: skip.at, reason: skip.reason.sentence)
    }
    defer { unkeptSkips = [] }
    return unkeptSkips + new
  }
}

extension JobSchedule {
  /// Reads a stored schedule. Returns nil if the bytes are not a valid schedule.
  init?(_ stored: StoredSchedule) {
    guard let read = try? JobSchedule(encoded: stored.content) else { return nil }
    self = read
    if let learned = stored.learned { adaptive = learned }
  }
}

extension StoredSchedule {
  /// Creates the stored form of a schedule. The learned part is left out if it has not changed.
  init(_ schedule: JobSchedule, learnedBefore: [UInt8]?) {
    self.init(
      schedule.encoded, learned: schedule.adaptive == learnedBefore ? nil : schedule.adaptive)
  }
}

extension StoreError {
  /// The error as a problem that affects all jobs; nil if the error concerns only one run.
  var trouble: StoreTrouble? {
    switch code {
    case .full, .locked, .readOnly, .inDoubt: StoreTrouble(message, mayPass: true)
    case .unreachable: StoreTrouble(message, mayPass: reconnects)
    case .replaced, .fenced, .corrupt, .newer, .missing, .closed:
      StoreTrouble(message, mayPass: false)
    case .jobRunning, .unknownJob, .rejected: nil
    }
  }
}
