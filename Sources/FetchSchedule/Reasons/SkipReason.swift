import FetchModel
package import FetchValues

/// The reason why a due time or a trigger did not start its own run.
package enum SkipReason: Hashable, Sendable {
  /// The time passed while nothing ran, and the job's `catch_up` is none.
  case missed(Timestamp)
  /// The number of missed times that remained when the job stopped catching up one by one.
  case leftOut(Int, orMore: Bool)
  /// A trigger came while the job was running.
  case running(since: Timestamp)
  /// A trigger came while a run was waiting, or already planned after the current one.
  case ridesAlong(TriggerKind)
  /// A trigger came during a run that then failed: the back-off applies.
  case failed(TriggerKind)
  /// A trigger came for a failed job, which is retried at `until`.
  case backsOff(TriggerKind, until: Timestamp)
  case disabled
  case paused(since: Timestamp)
  case allPaused(since: Timestamp)

  /// A sentence without its full stop, which continues "skipped: ".
  package var sentence: String {
    switch self {
    case .missed(let time):
      "it was due at \(time.plain) but was missed, and its catch_up is none"
    case .leftOut(let count, let orMore):
      "\(counted(count, "missed time")) \(orMore ? "or more get" : count == 1 ? "gets" : "get") no"
        + " run: catch_up all ends after \(CatchUp.runsMax) runs, and when a run fails, has to wait"
        + " or is requested"
    case .running(let since): "a run has been under way since \(since.plain)"
    case .ridesAlong(let kind): "\(kind.phrase), but a run was already pending"
    case .failed(let kind): "\(kind.phrase) while it ran, but that run failed"
    case .backsOff(let kind, let until):
      "\(kind.phrase), but it has failed and is retried at \(until.plain)"
    case .disabled: "it is disabled in the config"
    case .paused(let since): "it has been paused since \(since.plain)"
    case .allPaused(let since): "all jobs have been paused since \(since.plain)"
    }
  }
}
