package import FetchValues

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
