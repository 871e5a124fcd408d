package import FetchValues

/// What a person should be told about a job, once.
package enum Notice: Hashable, Sendable {
  /// The source answered 410 Gone: the job is paused.
  case gone
  /// It asks another source than the one that is gone: the job is resumed.
  case sourceChanged
  /// So many failures in a row: it is broken, not quiet.
  case broken(failures: Int)
  /// The first success after that many failures that had been told of.
  case healed(failures: Int)
  /// From now on it is only probed, once a week.
  case longDead(since: Timestamp)

  package var sentence: String {
    switch self {
    case .gone:
      "its source answered 410 Gone: it is paused; change its address, and it goes on by itself,"
        + " or remove the job"
    case .sourceChanged:
      "its options or its plugin have changed since its source answered 410 Gone: it is resumed"
    case .broken(let failures): "it failed \(failures) times in a row"
    case .healed(let failures): "it works again after \(counted(failures, "failure"))"
    case .longDead(let since):
      "it fails since \(since.plain): from now on it is tried once a week"
    }
  }
}
