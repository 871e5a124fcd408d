import FetchModel
package import FetchValues

/// Why an occasion to run passed without a run of its own.
package enum SkipReason: Hashable, Sendable {
  /// A time went by while nothing ran, and the job catches up on none.
  case missed(Timestamp)
  /// So many missed times were left when a job stopped making up for them one by one.
  case leftOut(Int, orMore: Bool)
  /// A trigger met a run that was under way.
  case running(since: Timestamp)
  /// A trigger met a run that waits, or one that follows the run under way.
  case ridesAlong(TriggerKind)
  /// A trigger came during a run, which failed: its back-off holds.
  case failed(TriggerKind)
  /// A trigger met a job that has failed and is tried again then.
  case backsOff(TriggerKind, until: Timestamp)
  case disabled
  case paused(since: Timestamp)
  case allPaused(since: Timestamp)

  /// One sentence without its end, that goes on from "skipped: ".
  package var sentence: String {
    switch self {
    case .missed(let time):
      "it was due at \(time.plain) while nothing ran, and its catch_up is none"
    case .leftOut(let count, let orMore):
      "\(counted(count, "missed time")) \(orMore ? "or more get" : count == 1 ? "gets" : "get") no"
        + " run, as catch_up all ends after \(CatchUp.runsMax) runs, and when one fails, has"
        + " to wait or is asked for"
    case .running(let since): "a run is under way since \(since.plain)"
    case .ridesAlong(let kind): "\(kind.phrase), but a run of it was to come anyway"
    case .failed(let kind): "\(kind.phrase) while it ran, and that run failed"
    case .backsOff(let kind, let until):
      "\(kind.phrase), but it has failed and is tried again at \(until.plain)"
    case .disabled: "it is disabled in the config"
    case .paused(let since): "it is paused since \(since.plain)"
    case .allPaused(let since): "all jobs are paused since \(since.plain)"
    }
  }
}
