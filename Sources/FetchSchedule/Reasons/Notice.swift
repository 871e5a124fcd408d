package import FetchValues

/// An event of a job that is reported to a person once.
package enum Notice: Hashable, Sendable {
  /// The source answered 410 Gone: the job is paused.
  case gone
  /// Its configuration no longer names the source that is gone: the job is resumed.
  case sourceChanged
  /// The job has failed that many times in a row: it is broken, not quiet.
  case broken(failures: Int)
  /// The first success after that many failures, which were reported.
  case healed(failures: Int)
  /// The job has failed for so long that it is only probed once a week.
  case longDead(since: Timestamp)

  package var sentence: String {
    switch self {
    case .gone:
      "its source answered 410 Gone, so it is paused: change its address to resume it,"
        + " or remove the job"
    case .sourceChanged:
      "its options or its plugin have changed since its source answered 410 Gone, so it is resumed"
    case .broken(let failures): "it failed \(failures) times in a row"
    case .healed(let failures): "it works again after \(counted(failures, "failure"))"
    case .longDead(let since):
      "it has failed since \(since.plain): from now on it is tried once a week"
    }
  }
}
