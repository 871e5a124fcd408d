/// A rule that determines the time between a job's runs in a simulation.
package enum TracePolicy: String, CaseIterable, Sendable {
  /// Every source has the same interval. It is the shortest interval that the budget allows.
  case fixed
  case adaptive
}
