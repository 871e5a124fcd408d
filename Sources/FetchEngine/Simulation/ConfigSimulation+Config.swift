package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
package import FetchStoreSQLite

extension ConfigSimulation {
  /// The jobs of a config as a daemon would begin with them, with what a store remembers of them;
  /// nothing is written to it.
  ///
  /// - Parameter reader: nil where there is no store yet.
  package init(
    _ config: Config, _ prepared: [PreparedJob], remembering reader: StoreReader?,
    local: ZoneOffsets, plan: SimulationPlan
  ) throws(StoreError) {
    let now = plan.time.lowerBound
    let limits = config.limits
    var scheduler = Scheduler(lanes: config.lanes, budget: Budget(limits, now: now), now: now)
    var learned = LearnedSchedules(requestsPerHour: limits.requestsPerHour, zone: local)
    var remembered: [String: JobSchedule] = [:]
    if let reader {
      scheduler = try ScheduleMemory.scheduler(
        lanes: config.lanes, limits: limits, reader: reader, now: now)
      learned = try ScheduleMemory.learned(limits, zone: local, reader: reader)
      remembered = try ScheduleMemory.schedules(in: reader)
    }
    self.init(
      prepared.map { ScheduledJob($0, local: local) }, remembered: remembered,
      scheduler: scheduler, learned: learned, plan: plan)
  }
}
