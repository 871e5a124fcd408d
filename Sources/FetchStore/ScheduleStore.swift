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
