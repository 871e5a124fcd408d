package import FetchValues

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
