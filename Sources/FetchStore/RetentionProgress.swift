package import FetchValues

/// What is left of retention after a step.
package enum RetentionProgress: Equatable, Sendable {
  /// There is more to do now.
  case goesOn
  /// There is nothing to do before then.
  case rests(until: Timestamp)
}
