import FetchModel
import FetchValues

/// The keys of `budget`, for all jobs and for one.
enum BudgetKey: String, ConfigKey {
  case runs
  case requests
  case bytes
  case cpu
  case runTime = "run_time"

  /// Whether one job may have it, too: no job has two runs at once.
  var isOfJobs: Bool { self != .runs }

  var entry: ConfigEntry {
    switch self {
    case .runs: ConfigEntry(.count(1...10_000), "runs under way at once", default: "100")
    case .requests: ConfigEntry(.rates(.count), "HTTP requests per hour or day")
    case .bytes: ConfigEntry(.rates(.bytes), "bytes received per hour or day")
    case .cpu: ConfigEntry(.rates(.time), "CPU time of plugins per hour or day")
    case .runTime: ConfigEntry(.rates(.time), "time of all runs together per hour or day")
    }
  }
}
