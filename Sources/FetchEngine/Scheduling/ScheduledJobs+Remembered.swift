package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchValues

extension Config {
  /// The maximum number of simultaneous runs if the config sets no limit.
  package static let runsAtOnceDefault = 100

  /// The limits of the budget of all jobs. If the config does not limit the simultaneous runs, the
  /// limit is `runsAtOnceDefault`.
  var limits: BudgetLimits {
    var limits = budget
    limits.runsAtOnceMax = limits.runsAtOnceMax ?? Self.runsAtOnceDefault
    return limits
  }
}

extension ScheduledJobs {
  /// Creates an empty set of jobs with the config's lanes and budget. Restores the stored memory
  /// that all jobs share.
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

  /// Returns the jobs in the state that they would have if a daemon started now. Writes nothing.
  ///
  /// - Parameters:
  ///   - mistaken: jobs that cannot be prepared.
  ///   - unlisted: jobs that only the store has.
  package static func remembered(
    _ prepared: [Job], unready: [JobName] = [], mistaken: [JobConfig] = [],
    unlisted: [JobName] = [],
    _ config: Config, in reader: any ScheduleReading, local: ZoneOffsets,
    now: Timestamp, abandoned: [JobName] = []
  ) async throws(StoreError) -> ScheduledJobs {
    let jobs = try await ScheduledJobs(
      config, remembering: reader, local: local, runsOnce: false, now: now)
    let wanted = prepared + mistaken.map { Job(failing: Failure(.invalidOption, ""), $0) }
    jobs.set(
      wanted, unready: unready, local: local,
      remembered: try await ScheduleMemory.schedules(
        of: wanted.map(\.name) + unready, in: reader), now: now)
    let schedules =
      unlisted.isEmpty ? [:] : try await ScheduleMemory.schedules(of: unlisted, in: reader)
    jobs.withState { state in
      for name in unlisted {
        var schedule = schedules[name] ?? JobSchedule()
        schedule.dueAt = nil
        state.scheduler.add(.unlisted(name), schedule, now: now)
      }
      // The stand-ins are removed, so that these jobs have only a schedule.
      for job in mistaken {
        if let number = state.scheduler.number(of: job.name) { state.jobs[number] = nil }
      }
    }
    // Without a config, a job whose run was abandoned gets no new due time either.
    jobs.rescue(unlisted.isEmpty ? abandoned : [], now: now)
    return jobs
  }
}
