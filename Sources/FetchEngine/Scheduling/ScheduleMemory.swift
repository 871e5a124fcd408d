package import FetchModel
package import FetchSchedule
package import FetchStore
package import FetchStoreSQLite
package import FetchValues
import Synchronization

/// What the scheduler remembers across restarts: read when it begins, kept as it goes.
package struct ScheduleMemory: Sendable {
  private let store: SQLiteStore
  private let events: EventSink
  private let refusals = Refusals()
  /// Called once a minute at most while there is something to do, and when the store refused a run.
  var onKept: @Sendable () -> Void = {}

  /// `events` gets what could not be stored, once while it stays the same; the next attempt stores it
  /// with the rest.
  package init(
    store: SQLiteStore, events: EventSink
  ) {
    self.store = store
    self.events = events
  }

  private static let budgetName = "budget"
  private static let pausedName = "pausedAll"
  private static let sharedName = "adaptive"
  private static let seedName = "seed"
  /// Before a hostname.
  private static let lanePrefix = "lane "

  // MARK: Beginning

  /// What earlier processes left of each job. What cannot be read is as if it had never been.
  package func schedules() throws(StoreError) -> [String: JobSchedule] {
    try Self.schedules(in: store.reader)
  }

  package static func schedules(
    in reader: StoreReader
  ) throws(StoreError) -> [String: JobSchedule] {
    try reader.schedules { stored in
      stored.content.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes)
        var schedule = try? JobSchedule(from: &reader)
        if let learned = stored.learned { schedule?.adaptive = learned }
        return schedule
      }
    }
  }

  /// A scheduler with what is remembered of all jobs together: the ledger of the budget, the
  /// hostnames that asked to be left alone, whether all is paused.
  package static func scheduler(
    lanes: LaneRules, limits: BudgetLimits, reader: StoreReader, now: Timestamp
  ) throws(StoreError) -> Scheduler {
    let ledger = try reader.ledger()
    var budget = Budget(limits, now: now)
    ledger[budgetName]?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      try? budget.restore(from: &reader)
    }
    var scheduler = Scheduler(lanes: lanes, budget: budget, now: now)
    for (origin, until) in try reader.coolDowns(after: now) {
      if let target = try? TargetURL(origin.text) {
        scheduler.close(target.hostname, until: until, now: now)
      }
    }
    for name in ledger.keys.filter({ $0.hasPrefix(lanePrefix) }).sorted() {
      ledger[name]?.withUnsafeBytes { bytes in
        var reader = ValueReader(bytes)
        guard let marks = try? LaneMarks(from: &reader) else { return }
        scheduler.resume(String(name.dropFirst(lanePrefix.count)), marks, now: now)
      }
    }
    if let paused = ledger[pausedName], let since = integer(paused) {
      scheduler.pauseAll(since: Timestamp(milliseconds: since))
    }
    if let seed = ledger[seedName], let number = integer(seed) {
      scheduler.jitter = Jitter(seed: UInt64(bitPattern: number))
    }
    return scheduler
  }

  /// What adaptive jobs have learned together; what cannot be read is learned anew.
  static func learned(
    _ limits: BudgetLimits, zone: ZoneOffsets, reader: StoreReader
  ) throws(StoreError) -> LearnedSchedules {
    let ledger = try reader.ledger()
    var learned = LearnedSchedules(requestsPerHour: limits.requestsPerHour, zone: zone)
    ledger[sharedName]?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      guard let shared = try? AdaptiveShared(from: &reader) else { return }
      learned.resume(shared)
    }
    learned.habits = ReaderHabits(ledger)
    return learned
  }

  /// Learns from the reads that were noted since the last time. Nobody else changes the habits, so
  /// that the jobs need not be held meanwhile.
  func takeReads(into jobs: ScheduledJobs) {
    let reads = ReadLog(store: store.path).take()
    if reads.isEmpty { return }
    var (habits, zone) = jobs.withState { ($0.learned.habits, $0.learned.zone) }
    habits.learn(reads, zone: zone)
    jobs.withState { $0.learned.habits = habits }
  }

  private static func integer(_ content: [UInt8]) -> Int64? {
    content.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      return try? reader.readInteger()
    }
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
      state.unkept = UnkeptSpending()
      memory.ledger = Self.ledger(of: state.scheduler)
      var writer = ValueWriter()
      state.learned.shared.encode(into: &writer)
      memory.ledger[Self.sharedName] = writer.bytes
      writer = ValueWriter()
      writer.write(Int64(bitPattern: state.scheduler.jitter.seed))
      memory.ledger[Self.seedName] = writer.bytes
      let habits = state.learned.habits
      state.learned.habits.isChanged = false
      return (memory, unkept, retired, habits)
    }
    if habits.isChanged { memory.ledger.merge(habits.entries) { $1 } }
    if await store(memory) { return }
    jobs.withState { state in
      state.unkept.hasCharges = state.unkept.hasCharges || unkept.hasCharges
      state.unkept.coolDowns.merge(unkept.coolDowns, uniquingKeysWith: max)
      for name in retired { state.retired[name]?.isChanged = true }
      if habits.isChanged { state.learned.habits.isChanged = true }
    }
  }

  /// What runs have spent and will have: those under way count with what they have reserved.
  static func ledger(of scheduler: Scheduler) -> [String: [UInt8]] {
    var writer = ValueWriter()
    scheduler.budget.encode(into: &writer)
    return [budgetName: writer.bytes]
  }

  /// What a hostname's refusals come to.
  static func entry(of hostname: String, _ marks: LaneMarks) -> [String: [UInt8]] {
    var writer = ValueWriter()
    marks.encode(into: &writer)
    return [lanePrefix + hostname: writer.bytes]
  }

  /// As those are known that a hostname itself asked to leave alone; also to who runs a plugin
  /// without a config.
  static func origin(of hostname: String) -> ExactText { ExactText("https://\(hostname)") }

  /// Pauses of all jobs, or the end of them.
  package func keepPause(of jobs: ScheduledJobs) async {
    let since = jobs.look { $0.pausedSince }
    var memory = SchedulerMemory()
    var writer = ValueWriter()
    if let since { writer.write(since.milliseconds) } else { writer.writeNull() }
    memory.ledger[Self.pausedName] = writer.bytes
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

extension StoredSchedule {
  /// Without what was learned where it is what was learned before.
  init(_ schedule: JobSchedule, learnedBefore: [UInt8]?) {
    var writer = ValueWriter()
    schedule.encode(into: &writer)
    self.init(
      writer.bytes, learned: schedule.adaptive == learnedBefore ? nil : schedule.adaptive)
  }
}
