/// What all jobs together may spend, or one job alone. A list holds at most one rate per period; an empty one is no
/// limit.
package struct BudgetLimits: Hashable, Sendable {
  /// Nil leaves it to the command.
  package var runsAtOnceMax: Int?
  package var requests: [Rate] = []
  package var bytes: [Rate] = []
  /// In milliseconds of CPU time.
  package var cpu: [Rate] = []
  /// In milliseconds of wall time, summed over runs.
  package var runTime: [Rate] = []

  package init() {}

  /// What all its rates of requests together let through for long; nil without one.
  package var requestsPerHour: Double? { requests.map(\.perHour).min() }
}
