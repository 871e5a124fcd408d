/// How a simulation spaces a job's runs.
package enum TracePolicy: String, CaseIterable, Sendable {
  /// Every source at the same interval, as long as the budget asks for.
  case fixed
  case adaptive
}
