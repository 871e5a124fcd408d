package import FetchValues

/// The remaining work of retention after a step.
package enum RetentionProgress: Equatable, Sendable {
  /// More work is due now.
  case goesOn
  /// No work is due before then.
  case rests(until: Timestamp)
}
