import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues

/// A scheduler on a clock that a test moves.
struct SchedulerRig {
  static let start = Timestamp(milliseconds: 1_795_168_800_000)  // 2026-11-20T10:00:00Z

  var scheduler: Scheduler
  var now = Self.start

  init(_ limits: BudgetLimits = BudgetLimits(), gap: Duration = .seconds(1), lanes: Int = 1) {
    var rules = LaneRules()
    var rule = LaneRule()
    rule.gap = gap
    rule.connectionsMax = lanes
    if let all = HostPattern("*") { rules.set(rule, for: all) }
    scheduler = Scheduler(lanes: rules, budget: Budget(limits, now: now), now: now)
  }

  static func job(
    _ name: String, _ interval: Interval = .every(.seconds(900)), host: String? = "example.org"
  ) -> ScheduledJob {
    ScheduledJob(name: JobName(name), interval: interval, hostname: host)
  }

  @discardableResult
  mutating func add(
    _ name: String, _ interval: Interval = .every(.seconds(900)), host: String? = "example.org",
    _ schedule: JobSchedule = JobSchedule(), _ change: (inout ScheduledJob) -> Void = { _ in }
  ) -> JobNumber {
    var job = Self.job(name, interval, host: host)
    change(&job)
    return scheduler.add(job, schedule, now: now)
  }

  mutating func advance(_ duration: Duration) { now = now + duration }

  /// Returns the names of the jobs that start now.
  mutating func due() -> [JobName] { scheduler.due(now: now).map(\.name) }

  /// Starts the job now and ends its run at the same instant.
  @discardableResult
  mutating func run(
    _ job: JobNumber, _ ending: RunEnding = .noData, _ change: (inout RunSummary) -> Void = { _ in }
  ) -> RunVerdict {
    _ = scheduler.due(now: now)
    var summary = RunSummary(ending)
    change(&summary)
    return scheduler.ended(job, summary, now: now)
  }

  mutating func asks(_ source: [UInt8], _ job: JobNumber) -> Notice? {
    scheduler.asks(source, job, now: now)
  }

  /// Advances the clock to the next wake-up, and starts the due jobs.
  mutating func wake() -> [JobName] {
    guard let next = scheduler.nextWake else { return [] }
    now = max(now, next)
    return due()
  }

  func why(_ job: JobNumber) -> WaitReason { scheduler.waitReason(job, now: now) }
  func whyText(_ job: JobNumber) -> String { why(job).sentence(now: now) }
}
