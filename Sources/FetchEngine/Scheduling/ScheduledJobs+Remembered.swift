package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
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
    _ config: Config, remembering reader: any ScheduleReading, local: ZoneOffsets, runsOnce: Bool,
    now: Timestamp
  ) async throws(StoreError) {
    let limits = config.limits
    let memory = try await reader.sharedMemory()
    let scheduler = ScheduleMemory.scheduler(
      lanes: config.lanes, limits: limits, memory: memory,
      coolDowns: try await reader.coolDowns(after: now), now: now)
    self.init(
      scheduler: scheduler, learned: ScheduleMemory.learned(limits, zone: local, memory: memory),
      runsOnce: runsOnce)
  }

  /// The jobs as they would stand if something served them now; nothing is written.
  ///
  /// - Parameter mistaken: jobs that cannot be prepared; they stand as the store remembers them.
  package static func remembered(
    _ prepared: [PreparedJob], unready: [String] = [], mistaken: [JobConfig] = [],
    _ config: Config, in reader: any ScheduleReading, local: ZoneOffsets,
    now: Timestamp, abandoned: [String] = []
  ) async throws(StoreError) -> ScheduledJobs {
    let jobs = try await ScheduledJobs(
      config, remembering: reader, local: local, runsOnce: false, now: now)
    let standIns = mistaken.map { PreparedJob(failing: Failure(.invalidOption, ""), $0) }
    jobs.set(
      prepared + standIns, unready: unready, local: local,
      remembered: try await ScheduleMemory.schedules(in: reader), now: now)
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
