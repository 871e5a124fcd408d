package import FetchValues

/// An event of a job that is reported to a person once.
package enum Notice: Hashable, Sendable {
  /// The source answered 410 Gone, so the job is paused.
  case gone
  /// The job's config no longer names the source that is gone, so the job is resumed.
  case sourceChanged
  /// The job has failed the given number of times in a row, and counts as broken.
  case broken(failures: Int)
  /// The job succeeded again after the given number of failures, which were reported.
  case healed(failures: Int)
  /// The job has failed for so long that it is only probed once a week.
  case longDead(since: Timestamp)

  package var sentence: String {
    switch self {
    case .gone:
      "the source answered 410 Gone, so the job is paused: change the source's address to resume "
        + "the job, or remove the job"
    case .sourceChanged:
      "the job's options or plugin have changed since the source answered 410 Gone, so the job is "
        + "resumed"
    case .broken(let failures): "it failed \(failures) times in a row"
    case .healed(let failures): "it works again after \(counted(failures, "failure"))"
    case .longDead(let since):
      "it has failed since \(since.plain): from now on it is tried once a week"
    }
  }
}
