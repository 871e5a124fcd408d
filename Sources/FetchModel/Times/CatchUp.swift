/// The rule for the times that a job missed while nothing ran.
package enum CatchUp: String, Sendable, CaseIterable {
  /// The job waits for its next time.
  case none
  /// One run for all missed times.
  case one
  /// One run for each missed time, up to `runsMax` in a row.
  case all
  /// One run, spread over the time until the next one.
  case staggered

  /// The most runs of `all` in a row: a job that was off for a year does not run 100,000 times.
  package static let runsMax = 100
}
