/// The scheduler's memory of one job, as it is read.
package struct JobMemory: Equatable, Sendable {
  package var job: String
  package var schedule: StoredSchedule

  package init(job: String, schedule: StoredSchedule) {
    self.job = job
    self.schedule = schedule
  }
}
