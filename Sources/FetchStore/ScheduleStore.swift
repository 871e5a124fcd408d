import FetchModel
package import FetchValues

/// The scheduler's memory, as it is read when the scheduler begins.
package protocol ScheduleReading: Sendable {
  /// Returns a page of what is remembered of each job that the store ever had a schedule of, in an
  /// order of the store's own.
  ///
  /// - Parameter mark: where the page before has ended; nil for the first.
  func schedules(after mark: PageMark?) async throws(StoreError) -> Page<JobMemory>

  /// Returns what is remembered of all jobs together.
  func sharedMemory() async throws(StoreError) -> SharedMemory

  /// Returns the origins that asked to be left alone and until when, for those times after `now`. What
  /// is further away than a server may ask for was noted by a clock that was set back since, and is
  /// left out.
  func coolDowns(after now: Timestamp) async throws(StoreError) -> [ExactText: Timestamp]

  /// Returns the last skips of one job or of all, the latest first.
  func skips(job: String?, limit: Int) async throws(StoreError) -> [SkipRecord]

  /// Returns the jobs with runs that nobody ended, and of which no scheduler has heard yet: those that
  /// `RunStore.recover` would name.
  func abandoned() async throws(StoreError) -> [String]
}

/// The scheduler's memory, for those who keep it. The memory that a run changes is kept by its commit.
package protocol ScheduleStore: ScheduleReading {
  /// Stores what is remembered, all or nothing.
  func remember(_ memory: SchedulerMemory) async throws(StoreError)

  /// Removes a job from the abandoned ones: it has run since, by nobody's schedule.
  func forgetAbandoned(_ job: String) async throws(StoreError)
}

extension ScheduleReading {
  /// Every page of `schedules(after:)`, for whoever needs few of them at once.
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

/// The scheduler's memory of one job, opaque to the store but for its `facts`.
package struct StoredSchedule: Equatable, Sendable {
  /// What each run changes.
  package var content: [UInt8]
  /// What was learned of the job's source. Nil: nothing yet, and when it is written: as it was.
  package var learned: [UInt8]?

  package init(_ content: [UInt8], learned: [UInt8]? = nil) {
    self.content = content
    self.learned = learned
  }
}

/// The part of a schedule that a store may know: the answers to a person, or to a query of a database.
///
/// It is read from the schedule's content, which has it at its head, and not kept beside it: who asks
/// reads all schedules anyway, a run's commit would write three more columns for it, and a store that
/// wants columns of its own can fill them from here.
package struct ScheduleFacts: Equatable, Sendable {
  /// Nil: only a trigger makes the job run.
  package var dueAt: Timestamp?
  /// Nil: not paused.
  package var pausedAt: Timestamp?
  /// Failures in a row.
  package var failureCount: Int

  package init(dueAt: Timestamp?, pausedAt: Timestamp?, failureCount: Int) {
    self.dueAt = dueAt
    self.pausedAt = pausedAt
    self.failureCount = failureCount
  }
}

extension StoredSchedule {
  /// Nil for what is no schedule.
  package var facts: ScheduleFacts? {
    content.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      return try? Self.facts(&reader)
    }
  }

  /// Due time, reason and its failures, four times of runs, failures in a row, pause: see
  /// `JobSchedule.encode`.
  private static func facts(_ reader: inout ValueReader) throws(ValueError) -> ScheduleFacts {
    guard try reader.readArrayHead() >= 9 else { throw .truncated }
    let dueAt = try reader.readOptionalInteger()
    for _ in 0..<6 { try reader.skipValue() }
    let failureCount = Int(clamping: try reader.readInteger())
    let pausedAt = try reader.readOptionalInteger()
    return ScheduleFacts(
      dueAt: dueAt.map(time), pausedAt: pausedAt.map(time), failureCount: max(0, failureCount))
  }

  /// Within a hundred thousand years, so that no sum with a duration overflows.
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: max(-timeMax, min(milliseconds, timeMax)))
  }

  private static let timeMax: Int64 = 3_000_000_000_000_000
}

/// The scheduler's memory of one job, as it is read.
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
/// Read, it is all that is known; written, it has what has changed: nil leaves a part as it was.
package struct SharedMemory: Equatable, Sendable {
  /// Whether all jobs are paused.
  package enum Pause: Equatable, Sendable {
    case since(Timestamp)
    case over
  }

  /// The charges of all jobs, with those that runs under way have reserved.
  package var budget: [UInt8]?
  /// The marks of lanes that refusals have closed or slowed, by their hostnames. Written, it has those
  /// lanes that have changed.
  package var lanes: [String: [UInt8]] = [:]
  package var pause: Pause?
  /// The knowledge that adaptive jobs share: the price of a request.
  package var learned: [UInt8]?
  /// The times at which people read the items of all jobs.
  package var habits: [UInt8]?
  /// The times at which people read the items of single jobs.
  package var habitsOfJobs: [UInt8]?
  /// The seed of the store's own chance.
  package var seed: UInt64?

  package init() {}

  package var isEmpty: Bool { self == SharedMemory() }

  /// Takes over what another memory has.
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

/// What the scheduler has to remember besides what runs commit, stored together or not at all.
package struct SchedulerMemory: Sendable {
  /// By the job's name; a job that the store does not know is made, with the plugin given.
  package var schedules: [(job: String, plugin: String, schedule: StoredSchedule)] = []
  /// The changes to the memory of all jobs together.
  package var shared = SharedMemory()
  package var skips: [SkipRecord] = []

  package init() {}

  /// Jobs of the store's `abandonedJobs` whose schedule knows of it now.
  package var rescued: [String] = []

  /// See `RunCommit.coolDowns`.
  package var coolDowns: [ExactText: Timestamp] = [:]

  package var isEmpty: Bool {
    schedules.isEmpty && shared.isEmpty && skips.isEmpty && coolDowns.isEmpty && rescued.isEmpty
  }
}

/// An occasion that passed without a run, and why, in a sentence.
package struct SkipRecord: Equatable, Sendable {
  package var job: String
  package var at: Timestamp
  package var reason: String

  package init(job: String, at: Timestamp, reason: String) {
    self.job = job
    self.at = at
    self.reason = reason
  }

  /// Kept of one job; older ones go.
  package static let keptPerJob = 50
}
