package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchStoreSQLite
package import FetchValues

extension Config {
  /// Runs at once where the config sets no limit.
  package static let runsAtOnceDefault = 100

  /// What all jobs together may spend, with defaults.
  var limits: BudgetLimits {
    var limits = budget
    limits.runsAtOnceMax = limits.runsAtOnceMax ?? Self.runsAtOnceDefault
    return limits
  }
}

extension ScheduledJobs {
  /// No jobs yet; with the config's lanes and budget, and what the store remembers of both.
  convenience init(
    _ config: Config, remembering reader: StoreReader, local: ZoneOffsets, runsOnce: Bool,
    now: Timestamp
  ) throws(StoreError) {
    let limits = config.limits
    let scheduler = try ScheduleMemory.scheduler(
      lanes: config.lanes, limits: limits, reader: reader, now: now)
    self.init(
      scheduler: scheduler,
      learned: try ScheduleMemory.learned(limits, zone: local, reader: reader),
      runsOnce: runsOnce)
  }

  /// The jobs as they would stand if something served them now; nothing is written.
  ///
  /// - Parameter mistaken: jobs that cannot be prepared; they stand as the store remembers them.
  package static func remembered(
    _ prepared: [PreparedJob], unready: [String] = [], mistaken: [JobConfig] = [],
    _ config: Config, in reader: StoreReader, local: ZoneOffsets,
    now: Timestamp, abandoned: [String] = []
  ) throws(StoreError) -> ScheduledJobs {
    let jobs = try ScheduledJobs(
      config, remembering: reader, local: local, runsOnce: false, now: now)
    let standIns = mistaken.map { PreparedJob(failing: Failure(.invalidOption, ""), $0) }
    jobs.set(
      prepared + standIns, unready: unready, local: local,
      remembered: try ScheduleMemory.schedules(in: reader), now: now)
    jobs.withState { state in
      // Of these the schedule alone is shown.
      for job in mistaken {
        if let number = state.scheduler.number(of: job.name) { state.jobs[number] = nil }
      }
    }
    jobs.rescue(abandoned, now: now)
    return jobs
  }
}
