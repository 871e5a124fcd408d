package import FetchConfig
package import FetchModel
import FetchSchedule
package import FetchStore
import FetchValues

extension ConfigSimulation {
  /// Creates a simulation of a config's jobs. The jobs begin as if a daemon started with the stored
  /// memory at the beginning of the plan's period. Writes nothing.
  ///
  /// - Parameter reader: reads the stored memory; nil if there is no store yet.
  package init(
    _ config: Config, _ prepared: [Job], remembering reader: (any ScheduleReading)?,
    local: ZoneOffsets, plan: SimulationPlan
  ) async throws(StoreError) {
    let now = plan.time.lowerBound
    let limits = config.limits
    var scheduler = Scheduler(lanes: config.lanes, budget: Budget(limits, now: now), now: now)
    var learned = LearnedSchedules(requestsPerHour: limits.requestsPerHour, zone: local)
    var remembered: [JobName: JobSchedule] = [:]
    if let reader {
      let memory = try await reader.sharedMemory()
      scheduler = ScheduleMemory.scheduler(
        lanes: config.lanes, limits: limits, memory: memory,
        coolDowns: try await reader.coolDowns(after: now), now: now)
      learned = ScheduleMemory.learned(limits, zone: local, memory: memory)
      remembered = try await ScheduleMemory.schedules(in: reader)
    }
    self.init(
      prepared.map { ScheduledJob($0, local: local) }, remembered: remembered,
      scheduler: scheduler, learned: learned, plan: plan)
  }
}
