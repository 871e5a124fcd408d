import FetchModel
package import FetchValues

/// The reason why a due time or a trigger did not start a run of its own.
package enum SkipReason: Hashable, Sendable {
  /// The due time was missed, for example while no fetchrun process was running, and the job's
  /// `catch_up` is none.
  case missed(Timestamp)
  /// A series of runs for missed times (`catch_up: all`) ended although the given number of missed
  /// times had no run. With `orMore`, the number may be higher.
  case leftOut(Int, orMore: Bool)
  /// A person requested a run while the job was running.
  case running(since: Timestamp)
  /// A trigger came while the job's next run was already pending. That run was waiting to start,
  /// planned after the current run, or due by the time at which the trigger could start a run.
  case ridesAlong(TriggerKind)
  /// A trigger came during a run that later failed, so no further run follows for the trigger.
  case failed(TriggerKind)
  /// A trigger came after a failure of the job, before the next run, which is due at `until`.
  case backsOff(TriggerKind, until: Timestamp)
  case disabled
  case paused(since: Timestamp)
  case allPaused(since: Timestamp)

  /// The reason in one word, for counting.
  package var word: String {
    switch self {
    case .missed: "missed"
    case .leftOut: "leftOut"
    case .running: "running"
    case .ridesAlong: "pending"
    case .failed: "failed"
    case .backsOff: "backOff"
    case .disabled: "disabled"
    case .paused: "paused"
    case .allPaused: "allPaused"
    }
  }

  /// A sentence about the skip, without a full stop.
  package var sentence: String {
    switch self {
    case .missed(let time):
      "it missed its due time \(time.plain), and its `catch_up` is `none`"
    case .leftOut(let count, let orMore):
      "\(orMore ? "at least " : "")\(counted(count, "missed time")) got no run: `catch_up: all` "
        + "stops after \(CatchUp.runsMax) runs, and earlier if a run does not succeed, "
        + "or if the next run has to wait or is triggered by an event"
    case .running(let since): "a run that started at \(since.plain) was under way"
    case .ridesAlong(let kind): "\(kind.phrase), but a run was already pending"
    case .failed(let kind): "the job was running when \(kind.phrase), but that run did not succeed"
    case .backsOff(let kind, let until):
      "\(kind.phrase), but the job had failed and its retry was due at \(until.plain)"
    case .disabled: "it was disabled in the config"
    case .paused(let since): "it was paused at \(since.plain)"
    case .allPaused(let since): "all jobs were paused at \(since.plain)"
    }
  }
}
