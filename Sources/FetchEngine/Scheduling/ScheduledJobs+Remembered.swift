package import FetchConfig
package import FetchModel
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
  package static func remembered(
    _ prepared: [PreparedJob], unready: [String] = [], _ config: Config, in reader: StoreReader,
    local: ZoneOffsets,
    now: Timestamp, abandoned: [String] = []
  ) throws(StoreError) -> ScheduledJobs {
    let jobs = try ScheduledJobs(
      config, remembering: reader, local: local, runsOnce: false, now: now)
    jobs.set(
      prepared, unready: unready, local: local,
      remembered: try ScheduleMemory.schedules(in: reader), now: now)
    jobs.rescue(abandoned, now: now)
    return jobs
  }
}
