import FetchModel
package import FetchValues

/// The functions that read the scheduler's memory.
package protocol ScheduleReading: Sendable {
  /// Returns a page with the scheduler's memory of each job that has a stored schedule, in the
  /// store's own order.
  ///
  /// - Parameter mark: the end of the previous page; nil for the first.
  func schedules(after mark: PageMark?) async throws(StoreError) -> Page<JobMemory>

  /// Returns the scheduler's memory of each of the given jobs that has a stored schedule, in no
  /// particular order. No job may be given twice.
  func schedules(of jobs: [JobName]) async throws(StoreError) -> [JobMemory]

  /// Returns the scheduler's memory of all jobs together.
  func sharedMemory() async throws(StoreError) -> SharedMemory

  /// Returns the origins with a cooldown that ends after `now`, each with the end of its cooldown.
  /// Leaves out a cooldown that ends later than a server can request at `now`, because its end
  /// comes from a wrong clock.
  func coolDowns(after now: Timestamp) async throws(StoreError) -> [ExactText: Timestamp]

  /// Returns the last skips of one job or of all jobs, newest first.
  func skips(job: JobName?, limit: Int) async throws(StoreError) -> [SkipRecord]

  /// Returns the jobs with abandoned runs that no scheduler has acknowledged.
  func abandoned() async throws(StoreError) -> [JobName]
}

/// The functions that write the scheduler's memory. `RunStore.commit` also writes parts of this
/// memory.
package protocol ScheduleStore: ScheduleReading {
  /// Stores the memory completely or not at all.
  func remember(_ memory: SchedulerMemory) async throws(StoreError)

  /// Removes a job from the list of jobs with abandoned runs.
  func forgetAbandoned(_ job: JobName) async throws(StoreError)
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

/// The scheduler's memory of one job. The store can read only the schedule's `facts`.
package struct StoredSchedule: Equatable, Sendable {
  /// The encoded part of the memory that each run changes.
  package var content: [UInt8]
  /// The learned data about the job's source. When read, nil means that no data is stored. When
  /// written, nil keeps the stored data.
  package var learned: [UInt8]?

  package init(_ content: [UInt8], learned: [UInt8]? = nil) {
    self.content = content
    self.learned = learned
  }
}

/// The part of a schedule that can be read without decoding the rest.
///
/// The facts are at the beginning of the schedule's content. Columns for the facts would slow down
/// each commit of a run.
package struct ScheduleFacts: Equatable, Sendable {
  /// The due time; nil if there is none.
  package var dueAt: Timestamp?
  /// The time of the pause; nil if the job is not paused.
  package var pausedAt: Timestamp?
  /// The number of consecutive failures.
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
    try? ValueReader.read(content, Self.facts)
  }

  /// Reads the facts from the first nine fields of the schedule: see `JobSchedule.encode`.
  private static func facts(_ reader: inout ValueReader) throws(ValueError) -> ScheduleFacts {
    guard try reader.readArrayHead() >= 9 else { throw .truncated }
    let dueAt = try reader.readOptionalInteger()
    for _ in 0..<6 { try reader.skipValue() }
    let failureCount = Int(clamping: try reader.readInteger())
    let pausedAt = try reader.readOptionalInteger()
    return ScheduleFacts(
      dueAt: dueAt.map(time), pausedAt: pausedAt.map(time), failureCount: max(0, failureCount))
  }

  /// Returns the time, clamped to about 95,000 years before or after 1970, so that sums with
  /// durations cannot overflow.
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: max(-timeMax, min(milliseconds, timeMax)))
  }

  private static let timeMax: Int64 = 3_000_000_000_000_000
}

/// The scheduler's memory of one job, as read from the store.
package struct JobMemory: Equatable, Sendable {
  package var job: JobName
  package var schedule: StoredSchedule

  package init(job: JobName, schedule: StoredSchedule) {
    self.job = job
    self.schedule = schedule
  }
}

/// The scheduler's memory of all jobs together. The store does not decode the encoded parts.
///
/// When read, a memory has all stored parts. When written, nil keeps a stored part.
package struct SharedMemory: Equatable, Sendable {
  /// The state of the pause of all jobs.
  package enum Pause: Equatable, Sendable {
    case since(Timestamp)
    case over
  }

  /// The encoded state of the budget of all jobs. It includes the amounts that are reserved for
  /// active runs.
  package var budget: [UInt8]?
  /// The encoded counts and closures of lanes whose servers have refused requests, by hostname.
  /// When written, the stored data of other lanes stay unchanged.
  package var lanes: [String: [UInt8]] = [:]
  package var pause: Pause?
  /// The encoded data that adaptive jobs have learned together, such as the weekly pattern of their
  /// sources.
  package var learned: [UInt8]?
  /// The encoded profile of the times at which people read the items of all jobs.
  package var habits: [UInt8]?
  /// The encoded profiles of the times at which people read the items of single jobs.
  package var habitsOfJobs: [UInt8]?
  /// The seed of the random numbers of this store.
  package var seed: UInt64?

  package init() {}

  package var isEmpty: Bool { self == SharedMemory() }

  /// Copies the parts of `other` into this memory. Each of these parts replaces the present part.
  /// The lanes are replaced one by one.
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

/// The scheduler's memory that is stored apart from the commits of runs. It is stored completely or
/// not at all.
package struct SchedulerMemory: Sendable {
  /// The schedules by job name. If the store does not have a job, the job is created with the given
  /// plugin.
  package var schedules: [(job: JobName, plugin: PluginName, schedule: StoredSchedule)] = []
  /// The changes to the memory that all jobs share.
  package var shared = SharedMemory()
  package var skips: [SkipRecord] = []

  package init() {}

  /// The jobs to remove from the store's list of jobs with abandoned runs, because the abandoned
  /// runs were acknowledged.
  package var rescued: [JobName] = []

  /// The origins with a cooldown, each with the end of its cooldown: see `RunCommit.coolDowns`.
  package var coolDowns: [ExactText: Timestamp] = [:]

  package var isEmpty: Bool {
    schedules.isEmpty && shared.isEmpty && skips.isEmpty && coolDowns.isEmpty && rescued.isEmpty
  }
}

/// A due time or trigger that started no run of its own, with the reason in one sentence.
package struct SkipRecord: Equatable, Sendable {
  package var job: JobName
  package var at: Timestamp
  package var reason: String

  package init(job: JobName, at: Timestamp, reason: String) {
    self.job = job
    self.at = at
    self.reason = reason
  }

  /// The maximum number of skips that are kept for each job. Older skips are removed.
  package static let keptPerJob = 50
}
