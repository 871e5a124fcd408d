import FetchModel
package import FetchValues

/// The scheduler's memory, which the scheduler reads when it starts.
package protocol ScheduleReading: Sendable {
  /// Returns a page of the memories of all jobs that ever had a schedule, in the store's own order.
  ///
  /// - Parameter mark: the end of the previous page; nil for the first.
  func schedules(after mark: PageMark?) async throws(StoreError) -> Page<JobMemory>

  /// Returns the memory of all jobs together.
  func sharedMemory() async throws(StoreError) -> SharedMemory

  /// Returns the origins that asked for a cool-down that ends after `now`, with its end. A time
  /// further away than a server may ask for is left out: it comes from a clock that was later set
  /// back.
  func coolDowns(after now: Timestamp) async throws(StoreError) -> [ExactText: Timestamp]

  /// Returns the last skips of one job or of all, the latest first.
  func skips(job: String?, limit: Int) async throws(StoreError) -> [SkipRecord]

  /// Returns the jobs with abandoned runs that no scheduler knows of: those that `RunStore.recover`
  /// would return.
  func abandoned() async throws(StoreError) -> [String]
}

/// Writes the scheduler's memory. A run's commit stores the memory that the run changes.
package protocol ScheduleStore: ScheduleReading {
  /// Stores the memory, all or nothing.
  func remember(_ memory: SchedulerMemory) async throws(StoreError)

  /// Removes a job from the abandoned ones, because it has run since without a schedule.
  func forgetAbandoned(_ job: String) async throws(StoreError)
}

extension ScheduleReading {
  /// Returns all pages of `schedules(after:)` in one list.
  package func allSchedules() async throws(StoreError) -> [JobMemory] {
    var all: [JobMemory] = []
    var mark: PageMark?
    repeat {
      let page = try await schedules(after: mark)
      all += page.elements
      mark = page.next
    } while mark != nil
    return all
  }
}

/// The scheduler's memory of one job, opaque to the store except for its `facts`.
package struct StoredSchedule: Equatable, Sendable {
  /// The part that each run changes.
  package var content: [UInt8]
  /// The knowledge of the job's source. Nil when read: none yet; nil when written: unchanged.
  package var learned: [UInt8]?

  package init(_ content: [UInt8], learned: [UInt8]? = nil) {
    self.content = content
    self.learned = learned
  }
}

/// The part of a schedule that a store may read, for people and for queries of a database.
///
/// It is read from the head of the schedule's content. The store has no columns for it: readers
/// need all schedules anyway, and three more columns would cost each commit of a run. A store that
/// needs columns can fill them from here.
package struct ScheduleFacts: Equatable, Sendable {
  /// The due time; nil if only a trigger runs the job.
  package var dueAt: Timestamp?
  /// The time of the pause; nil if the job is not paused.
  package var pausedAt: Timestamp?
  /// The number of failures in a row.
  package var failureCount: Int

  package init(dueAt: Timestamp?, pausedAt: Timestamp?, failureCount: Int) {
    self.dueAt = dueAt
    self.pausedAt = pausedAt
    self.failureCount = failureCount
  }
}

extension StoredSchedule {
  /// The facts; nil if the content is not a schedule.
  package var facts: ScheduleFacts? {
    content.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      return try? Self.facts(&reader)
    }
  }

  /// Reads the due time, its reason and failures, four times of runs, the failures in a row and the
  /// pause: see `JobSchedule.encode`.
  private static func facts(_ reader: inout ValueReader) throws(ValueError) -> ScheduleFacts {
    guard try reader.readArrayHead() >= 9 else { throw .truncated }
    let dueAt = try reader.readOptionalInteger()
    for _ in 0..<6 { try reader.skipValue() }
    let failureCount = Int(clamping: try reader.readInteger())
    let pausedAt = try reader.readOptionalInteger()
    return ScheduleFacts(
      dueAt: dueAt.map(time), pausedAt: pausedAt.map(time), failureCount: max(0, failureCount))
  }

  /// Returns the time, limited to a hundred thousand years so that sums with durations cannot
  /// overflow.
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: max(-timeMax, min(milliseconds, timeMax)))
  }

  private static let timeMax: Int64 = 3_000_000_000_000_000
}

/// The scheduler's memory of one job, as read from the store.
package struct JobMemory: Equatable, Sendable {
  package var job: String
  package var schedule: StoredSchedule

  package init(job: String, schedule: StoredSchedule) {
    self.job = job
    self.schedule = schedule
  }
}

/// The scheduler's memory of all jobs together. The contents are opaque to the store.
///
/// When read, it has everything known; when written, only the changes: nil keeps the stored part.
package struct SharedMemory: Equatable, Sendable {
  /// Whether all jobs are paused.
  package enum Pause: Equatable, Sendable {
    case since(Timestamp)
    case over
  }

  /// The charges of all jobs, including those reserved by active runs.
  package var budget: [UInt8]?
  /// The marks of lanes that refusals have closed or slowed, by hostname. When written, it has only
  /// the changed lanes.
  package var lanes: [String: [UInt8]] = [:]
  package var pause: Pause?
  /// The knowledge shared by adaptive jobs: the price of a request.
  package var learned: [UInt8]?
  /// The times at which people read the items of all jobs.
  package var habits: [UInt8]?
  /// The times at which people read the items of single jobs.
  package var habitsOfJobs: [UInt8]?
  /// The seed of the store's own random numbers.
  package var seed: UInt64?

  package init() {}

  package var isEmpty: Bool { self == SharedMemory() }

  /// Adds the parts that another memory has.
  package mutating func merge(_ other: SharedMemory) {
    budget = other.budget ?? budget
    lanes.merge(other.lanes) { $1 }
    pause = other.pause ?? pause
    learned = other.learned ?? learned
    habits = other.habits ?? habits
    habitsOfJobs = other.habitsOfJobs ?? habitsOfJobs
    seed = other.seed ?? seed
  }
}

/// The scheduler's memory apart from the commits of runs, stored together or not at all.
package struct SchedulerMemory: Sendable {
  /// The schedules by the job's name. An unknown job is created with the given plugin.
  package var schedules: [(job: String, plugin: String, schedule: StoredSchedule)] = []
  /// The changes to the memory of all jobs together.
  package var shared = SharedMemory()
  package var skips: [SkipRecord] = []

  package init() {}

  /// Jobs of the store's `abandonedJobs` whose schedules now take that into account.
  package var rescued: [String] = []

  /// See `RunCommit.coolDowns`.
  package var coolDowns: [ExactText: Timestamp] = [:]

  package var isEmpty: Bool {
    schedules.isEmpty && shared.isEmpty && skips.isEmpty && coolDowns.isEmpty && rescued.isEmpty
  }
}

/// A due time that passed without a run, with the reason in one sentence.
package struct SkipRecord: Equatable, Sendable {
  package var job: String
  package var at: Timestamp
  package var reason: String

  package init(job: String, at: Timestamp, reason: String) {
    self.job = job
    self.at = at
    self.reason = reason
  }

  /// The number of records kept of one job; older ones are removed.
  package static let keptPerJob = 50
}
