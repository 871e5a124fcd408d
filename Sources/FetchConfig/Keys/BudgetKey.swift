import FetchModel

/// The keys of `budget`.
enum BudgetKey: String, ConfigKey {
  case runs
  case requests
  case bytes
  case cpu
  case runTime = "run_time"

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
