package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues
import Synchronization

/// The scheduler's memory across restarts: loaded at the start, saved along the way.
package struct ScheduleMemory: Sendable {
  private let store: any Store
  private let state: StateFolder
  private let events: EventSink
  private let refusals = Refusals()
  /// Called at most once a minute while there is something to do, and after the store refused a
  /// run.
  var onKept: @Sendable () -> Void = {}

  /// Creates the memory. `events` receives what the store refused, once while it stays the same;
  /// the next attempt stores it with the rest.
  package init(
    store: any Store, events: EventSink
  ) {
    self.store = store
    state = StateFolder(of: store.address)
    self.events = events
  }

  // MARK: Beginning

  /// Returns the stored schedule of each job; unreadable ones are left out.
  package func schedules() async throws(StoreError) -> [String: JobSchedule] {
    try await Self.schedules(in: store)
  }

  package static func schedules(
    in reader: any ScheduleReading
  ) async throws(StoreError) -> [String: JobSchedule] {
    var schedules: [String: JobSchedule] = [:]
    var mark: PageMark?
    repeat {
      let page = try await reader.schedules(after: mark)
      for memory in page.elements { schedules[memory.job] = JobSchedule(memory.schedule) }
      mark = page.next
    } while mark != nil
    return schedules
  }

  /// Returns a scheduler with the stored memory of all jobs together: the ledger of the budget, the
  /// cooldowns of hostnames, and the pause of all jobs.
  package static func scheduler(
    lanes: LaneRules, limits: BudgetLimits, memory: SharedMemory,
    coolDowns: [ExactText: Timestamp], now: Timestamp
  ) -> Scheduler {
    var budget = Budget(limits, now: now)
    memory.budget?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      try? budget.restore(from: &reader)
    }
    var scheduler = Scheduler(lanes: lanes, budget: budget, now: now)
    for (origin, until) in coolDowns {
      if let target = try? TargetURL(origin.text) {
        scheduler.close(target.hostname, until: until, now: now)
      }
    }
    for (hostname, marks) in memory.lanes.sorted(by: { $0.key < $1.key }) {
      marks.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes)
        guard let marks = try? LaneMarks(from: &reader) else { return }
        scheduler.resume(hostname, marks, now: now)
      }
    }
    if case .since(let time) = memory.pause { scheduler.pauseAll(since: time) }
    if let seed = memory.seed { scheduler.jitter = Jitter(seed: seed) }
    return scheduler
  }

  /// Returns the shared learning of adaptive jobs; unreadable parts are learned anew.
  static func learned(
    _ limits: BudgetLimits, zone: ZoneOffsets, memory: SharedMemory
  ) -> LearnedSchedules {
    var learned = LearnedSchedules(requestsPerHour: limits.requestsPerHour, zone: zone)
    memory.learned?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      guard let shared = try? AdaptiveShared(from: &reader) else { return }
      learned.resume(shared)
    }
    learned.habits = ReaderHabits(memory)
    return learned
  }

  /// Learns from the reads noted since the previous call. Nothing else changes the habits, so the
  /// jobs need not be locked meanwhile.
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
      memory.skips = state.takeSkips()
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

  /// The limit for a store that refuses everything for a long time.
  private static let unkeptSkipsMax = 1000

  /// Saves future first times, for commands that show what is due next.
  func keepPlanned(of jobs: ScheduledJobs) async {
    jobs.withState { state in
      state.changed.formUnion(state.planned)
      state.planned = []
    }
    await keepSkips(of: jobs)
  }

  func keepAll(of jobs: ScheduledJobs) async {
    var (memory, unkept, retired, habits) = jobs.withState { state in
      var memory = SchedulerMemory()
      let retired = Self.addRetired(&state, to: &memory)
      let unkept = state.unkept
      memory.coolDowns = state.unkept.coolDowns
      // Cooldowns requested by servers are stored with the runs that received them.
      for closure in state.scheduler.closures() where closure.why != .retryAfter {
        memory.coolDowns[Self.origin(of: closure.hostname)] = closure.until
      }
      state.unkept = UnsavedUsage()
      memory.shared.budget = Self.charges(of: state.scheduler)
      var writer = ValueWriter()
      state.learned.shared.encode(into: &writer)
      memory.shared.learned = writer.bytes
      memory.shared.seed = state.scheduler.jitter.seed
      let habits = state.learned.habits
      state.learned.habits.isChanged = false
      return (memory, unkept, retired, habits)
    }
    if habits.isChanged { memory.shared.merge(habits.memory) }
    if await store(memory) { return }
    jobs.withState { state in
      state.unkept.hasCharges = state.unkept.hasCharges || unkept.hasCharges
      state.unkept.coolDowns.merge(unkept.coolDowns, uniquingKeysWith: max)
      for name in retired { state.retired[name]?.isChanged = true }
      if habits.isChanged { state.learned.habits.isChanged = true }
    }
  }

  /// Returns the spending of runs; those under way count with their reservation.
  static func charges(of scheduler: Scheduler) -> [UInt8] {
    var writer = ValueWriter()
    scheduler.budget.encode(into: &writer)
    return writer.bytes
  }

  /// Returns the encoded refusals of a hostname.
  static func encoded(_ marks: LaneMarks) -> [UInt8] {
    var writer = ValueWriter()
    marks.encode(into: &writer)
    return writer.bytes
  }

  /// Returns the origin under which a hostname's cooldown is stored, as for one that the server
  /// itself requested. It also holds for runs of a plugin without a config.
  static func origin(of hostname: String) -> ExactText { ExactText("https://\(hostname)") }

  /// Saves the pause of all jobs, or its end.
  package func keepPause(of jobs: ScheduledJobs) async {
    let since = jobs.look { $0.pausedSince }
    var memory = SchedulerMemory()
    memory.shared.pause = since.map { .since($0) } ?? .over
    _ = await store(memory)
    await keepSkips(of: jobs)
  }

  private static func add(
    _ number: JobNumber, _ state: ScheduledJobs.State, to memory: inout SchedulerMemory
  ) {
    guard let job = state.jobs[number] else { return }
    let schedule = StoredSchedule(state.scheduler.schedule(of: number), learnedBefore: nil)
    memory.schedules.append((job.name, job.plugin.manifest.name, schedule))
  }

  /// Adds the changed retired jobs and returns their names.
  private static func addRetired(
    _ state: inout ScheduledJobs.State, to memory: inout SchedulerMemory
  ) -> [ExactText] {
    var added: [ExactText] = []
    for (name, job) in state.retired where job.isChanged {
      var writer = ValueWriter()
      job.quota.encode(into: &writer)
      var schedule = job.schedule
      schedule.quota = writer.bytes
      let stored = StoredSchedule(schedule, learnedBefore: schedule.adaptive)
      memory.schedules.append((name.text, job.plugin, stored))
      state.retired[name]?.isChanged = false
      added.append(name)
    }
    return added
  }

  /// Stores the memory; returns whether that succeeded. An event reports a failure once.
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

/// The reason why the store refused the last attempt; nil if it did not.
private final class Refusals: Sendable {
  let last = Mutex<StoreError?>(nil)
}

extension ScheduledJobs.State {
  /// Returns the skips since the last call and those that came back.
  fileprivate mutating func takeSkips() -> [SkipRecord] {
    let new = scheduler.takeSkips().map { skip in
      SkipRecord(job: scheduler[skip.job].name, at: skip.at, reason: skip.reason.sentence)
    }
    defer { unkeptSkips = [] }
    return unkeptSkips + new
  }
}

extension JobSchedule {
  /// Returns nil if the stored bytes are not a schedule.
  init?(_ stored: StoredSchedule) {
    let read = stored.content.withUnsafeBytes { bytes -> JobSchedule? in
      var reader = ValueReader(bytes)
      return try? JobSchedule(from: &reader)
    }
    guard let read else { return nil }
    self = read
    if let learned = stored.learned { adaptive = learned }
  }
}

extension StoredSchedule {
  /// Creates the stored form, without the learned part if that has not changed.
  init(_ schedule: JobSchedule, learnedBefore: [UInt8]?) {
    var writer = ValueWriter()
    schedule.encode(into: &writer)
    self.init(
      writer.bytes, learned: schedule.adaptive == learnedBefore ? nil : schedule.adaptive)
  }
}
