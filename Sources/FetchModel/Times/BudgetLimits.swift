/// The limits of all jobs together, or of one job. A list has at most one rate per period; an empty
/// one is no limit.
package struct BudgetLimits: Hashable, Sendable {
  /// The most concurrent runs; nil for the command's default.
  package var runsAtOnceMax: Int?
  package var requests: [Rate] = []
  package var bytes: [Rate] = []
  /// CPU time in milliseconds.
  package var cpu: [Rate] = []
  /// Wall time in milliseconds, summed over runs.
  package var runTime: [Rate] = []

  package init() {}

  /// The long-term rate that all its rates of requests allow together; nil without one.
  package var requestsPerHour: Double? { requests.map(\.perHour).min() }
}
