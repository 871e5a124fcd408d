/// What becomes of the times a job has missed while nothing ran.
package enum CatchUp: String, Sendable, CaseIterable {
  /// It waits for its next time.
  case none
  /// One run for all that was missed.
  case one
  /// A run for each, up to `runsMax` in a row.
  case all
  /// One run, spread over the time until the next.
  case staggered

  /// The runs of `all` in a row: a job that was off for a year does not run 100,000 times.
  package static let runsMax = 100
}
