package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchValues
import Synchronization

/// What the scheduler remembers across restarts: read when it begins, kept as it goes.
package struct ScheduleMemory: Sendable {
  private let store: any Store
  private let state: StateFolder
  private let events: EventSink
  private let refusals = Refusals()
  /// Called once a minute at most while there is something to do, and when the store refused a run.
  var onKept: @Sendable () -> Void = {}

  /// `events` gets what could not be stored, once while it stays the same; the next attempt stores it
  /// with the rest.
  package init(
    store: any Store, events: EventSink
  ) {
    self.store = store
    state = StateFolder(of: store.address)
    self.events = events
  }

  // MARK: Beginning

  /// What earlier processes left of each job. What cannot be read is as if it had never been.
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

  /// A scheduler with what is remembered of all jobs together: the ledger of the budget, the
  /// hostnames that asked to be left alone, whether all is paused.
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

  /// What adaptive jobs have learned together; what cannot be read is learned anew.
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

  /// Learns from the reads that were noted since the last time. Nobody else changes the habits, so
  /// that the jobs need not be held meanwhile.
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

  /// Of a store that takes nothing for long.
  private static let unkeptSkipsMax = 1000

  /// First times that are still to come, for whoever looks for what is due next.
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
      // Those that servers asked for are stored with the runs that they told.
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

  /// What runs have spent and will have: those under way count with what they have reserved.
  static func charges(of scheduler: Scheduler) -> [UInt8] {
    var writer = ValueWriter()
    scheduler.budget.encode(into: &writer)
    return writer.bytes
  }

  /// What a hostname's refusals come to.
  static func encoded(_ marks: LaneMarks) -> [UInt8] {
    var writer = ValueWriter()
    marks.encode(into: &writer)
    return writer.bytes
  }

  /// As those are known that a hostname itself asked to leave alone; also to who runs a plugin
  /// without a config.
  static func origin(of hostname: String) -> ExactText { ExactText("https://\(hostname)") }

  /// Pauses of all jobs, or the end of them.
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

  /// The names of those that were added.
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

  /// Whether it is stored; otherwise an event says why, once.
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

/// Why the store refused the last attempt; nil where it did not.
private final class Refusals: Sendable {
  let last = Mutex<StoreError?>(nil)
}

extension ScheduledJobs.State {
  /// Those since they were last taken, and those that came back.
  fileprivate mutating func takeSkips() -> [SkipRecord] {
    let new = scheduler.takeSkips().map { skip in
      SkipRecord(job: scheduler[skip.job].name, at: skip.at, reason: skip.reason.sentence)
    }
    defer { unkeptSkips = [] }
    return unkeptSkips + new
  }
}

extension JobSchedule {
  /// Nil for what is no schedule.
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
  /// Without what was learned where it is what was learned before.
  init(_ schedule: JobSchedule, learnedBefore: [UInt8]?) {
    var writer = ValueWriter()
    schedule.encode(into: &writer)
    self.init(
      writer.bytes, learned: schedule.adaptive == learnedBefore ? nil : schedule.adaptive)
  }
}
