import FetchModel
import FetchSchedule
import FetchValues
import Foundation

/// The CPU time of one decision of the scheduler. The scheduler finds the next wake-up, takes out a
/// due job, ends the job's run, and inserts the job's next due time. Each hostname has four jobs,
/// and the budget meters every run.
struct DecisionBenchmark {
  static let counts = [1_000, 10_000, 100_000, 1_000_000]
  static let decisions = 200_000
  /// The limit of the time of a decision with the fewest jobs, in microseconds.
  static let microsecondsMax = 20.0
  static let timesTheFirstMax = 2.0

  private static let start = Timestamp(seconds: 1_795_168_800)

  func measure() throws -> String {
    var table = Table()
    table.add("jobs", "decision us", "times the first", "at most", "load us a job", "bytes a job")
    var first: Double?
    for count in Self.counts {
      report("scheduling \(count) jobs")
      let held = Self.residentBytes
      var scheduler = Self.emptyScheduler
      let load = try Self.cpuSeconds { Self.load(count, into: &scheduler) }
      let bytes = Double(Self.residentBytes - held) / Double(count)
      Self.decide(count, in: &scheduler)
      let samples = try (0..<5).map { _ in
        try Self.cpuSeconds { Self.decide(Self.decisions / 5, in: &scheduler) }
      }
      let decision = samples.median / Double(Self.decisions / 5) * 1e6
      let most = first.map { $0 * Self.timesTheFirstMax } ?? Self.microsecondsMax
      table.add(
        "\(count)", decision.text(2), (decision / (first ?? decision)).text(2), most.text(2),
        (load / Double(count) * 1e6).text(2), bytes.text(0))
      first = first ?? decision
    }
    return table.text
  }

  private static var emptyScheduler: Scheduler {
    var limits = BudgetLimits()
    limits.runsAtOnceMax = 64
    limits.requests = [Rate(amount: 1_000_000_000, period: .hour)]
    limits.bytes = [Rate(amount: 1_000_000_000_000_000, period: .day)]
    return Scheduler(budget: Budget(limits, now: start), now: start)
  }

  private static func load(_ count: Int, into scheduler: inout Scheduler) {
    var chance = SeededGenerator(count)
    scheduler.reserveCapacity(count)
    for index in 0..<count {
      var job = ScheduledJob(
        name: JobName("job-\(index)"), interval: .every(.seconds(chance.within(900...86_400))),
        hostname: "host-\(index / 4).example")
      job.jitter = .seconds(60)
      var schedule = JobSchedule()
      schedule.dueAt = start + .milliseconds(chance.below(7_200_000))
      schedule.dueReason = .interval
      scheduler.add(job, schedule, now: start)
    }
  }

  private static func decide(_ count: Int, in scheduler: inout Scheduler) {
    let summary = RunSummary(
      .noData,
      cost: RunCost(requests: 1, bytes: 30_000, cpuMilliseconds: 4, runMilliseconds: 300))
    var left = count
    while left > 0, let now = scheduler.nextWake {
      for start in scheduler.due(now: now) {
        scheduler.ended(start.job, summary, now: now)
        left -= 1
      }
    }
  }

  // MARK: Measuring

  private static func cpuSeconds(_ work: () -> Void) throws -> Double {
    let before = try cpuClock()
    work()
    return try cpuClock() - before
  }

  private static func cpuClock() throws -> Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else {
      throw BenchmarkError("this machine has no clock of CPU time")
    }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
