package import FetchConfig
import FetchHost
package import FetchModel
package import FetchStore
import Synchronization

/// The jobs of a config under one scheduler and one budget, for as long as a command lives.
package struct JobService: Sendable {
  package let jobs: ScheduledJobs
  package let loop: RunLoop
  package let memory: ScheduleMemory
  private let lanes: RequestLanes
  private let time: RunTime

  /// Runs at once where the config sets no limit.
  package static let runsAtOnceDefault = 256

  /// - Parameters:
  ///   - pipeline: without lanes; every request of its runs will take its turn.
  ///   - notesStarts: see `RunPipeline.run`.
  ///   - runsOnce: see `ScheduledJobs`.
  ///   - logger: is told what goes wrong and ends nothing.
  package init(
    _ config: Config, pipeline: RunPipeline, notesStarts: Bool, runsOnce: Bool = false, local: ZoneOffsets,
    clock: any Clock<Duration> = ContinuousClock(), logger: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    let now = pipeline.time.now()
    var limits = config.budget
    limits.runsAtOnceMax = limits.runsAtOnceMax ?? Self.runsAtOnceDefault
    let reader = try StoreReader(at: pipeline.store.path)
    let scheduler = try ScheduleMemory.scheduler(
      lanes: config.lanes, limits: limits, reader: reader, now: now)
    let perHour = limits.requests.map(\.perHour).min()
    jobs = ScheduledJobs(
      scheduler: scheduler, learned: LearnedSchedules(requestsPerHour: perHour, zone: local),
      runsOnce: runsOnce)
    lanes = RequestLanes(rules: config.lanes)
    memory = ScheduleMemory(store: pipeline.store, logger: logger)
    var pipeline = pipeline
    pipeline.policy.lanes = lanes
    time = pipeline.time
    loop = RunLoop(
      pipeline: pipeline, jobs: jobs, memory: memory, notesStarts: notesStarts, clock: clock)
  }

  package func now() -> Timestamp { time.now() }

  /// Takes these jobs in, with what is remembered of them; others are forgotten.
  package func load(
    _ prepared: [PreparedJob], local: ZoneOffsets, abandoned: [String] = []
  ) throws(StoreError) {
    let remembered = try memory.schedules()
    let now = time.now()
    jobs.set(
      prepared.map { ($0.job, ScheduledJob($0, local: local)) }, remembered: remembered, now: now)
    jobs.rescue(abandoned, now: now)
    loop.poke()
  }

  /// Another config: only what has changed in it is touched.
  package func reload(
    _ config: Config, _ prepared: [PreparedJob], local: ZoneOffsets
  ) throws(StoreError) {
    var limits = config.budget
    limits.runsAtOnceMax = limits.runsAtOnceMax ?? Self.runsAtOnceDefault
    lanes.setRules(config.lanes)
    jobs.setRules(lanes: config.lanes, limits: limits, now: time.now())
    try load(prepared, local: local)
  }
}
