package import FetchValues

/// The jobs that have series of their own in the metrics.
package enum MetricsSeries: Hashable, Sendable {
  /// The first jobs by name, with the maximum number of jobs; 0 for no jobs.
  case first(Int)
  /// The named jobs, without names of jobs that do not exist.
  case named([JobName])

  /// The maximum number of jobs with series. Each job has six series.
  package static let jobsMax = 20_000
}
