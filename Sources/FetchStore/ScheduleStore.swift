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
