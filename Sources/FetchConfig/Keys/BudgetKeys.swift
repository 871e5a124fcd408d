import FetchModel

/// The keys of `budget`, for all jobs and for one job. A job's budget has no key `runs`, because a
/// job never has two concurrent runs.
enum BudgetKeys {
  private typealias Key = ConfigKey<BudgetLimits>

  static let all = ConfigKeys<BudgetLimits>([
    Key("runs", .count(1...10_000), "concurrent runs", default: "100", isOwn: true) {
      $0.runsAtOnceMax = $1
    },
    Key("requests", .rates(.count), "HTTP requests per hour or day") { $0.requests = $1 },
    Key("bytes", .rates(.bytes), "bytes received per hour or day") { $0.bytes = $1 },
    Key("cpu", .rates(.time), "CPU time of plugins per hour or day") { $0.cpu = $1 },
    Key("run_time", .rates(.time), "time of all runs together per hour or day") {
      $0.runTime = $1
    },
  ])
}
