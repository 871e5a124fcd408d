/// The scheduler's memory of one job, as read from the store.
package struct JobMemory: Equatable, Sendable {
  package var job: String
  package var schedule: StoredSchedule

  package init(job: String, schedule: StoredSchedule) {
    self.job = job
    self.schedule = schedule
  }
}
