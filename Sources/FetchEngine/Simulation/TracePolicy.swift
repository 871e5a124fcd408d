/// A simulation's way of spacing a job's runs.
package enum TracePolicy: String, CaseIterable, Sendable {
  /// Every source has the same interval, as long as the budget requires.
  case fixed
  case adaptive
}
