import FetchValues

/// One job in the scheduler's table; each decision reads and writes one of up to a million.
struct JobCell: Sendable {
  var schedule: JobSchedule
  /// The finish tag of its last turn: see `Turn`.
  var finishTag = 0.0
  /// The due time without the trigger. If all missed times are caught up on, the missed time of the
  /// current run.
  var dueBefore: Timestamp?
  /// The reason for `dueBefore`.
  var reasonBefore = DueReason.Code.interval
  /// The reasons before that one; empty for most jobs.
  var earlierReasonsBefore: [DueTime.Link] = []
  var place: Place = .idle
  /// Whether this job probes whether the network is back; at most one does.
  var isProbe = false
  /// Whether this job probes whether the store is writable again; at most one does.
  var triesStore = false
  /// Whether another hostname was configured during its run.
  var changesLane = false
  /// Whether the job is removed when its run ends.
  var isRemoved = false
  /// A trigger that came during a run: one more run follows for all such triggers.
  var runsAgain: TriggerKind?
  /// The runs that may still catch up on missed times one by one, including the current one. It is
  /// below the maximum only within a row of them.
  var catchUpsLeft: Int16 = 0
  /// The lane where it waits or runs; 0 is the lane of jobs that send no requests.
  var lane: Int32 = 0

  enum Place: Sendable {
    /// In no queue: no due time, paused or disabled.
    case idle
    /// In the queue of due times.
    case scheduled
    /// In its lane's queue.
    case waiting
    /// Due, until its conditions are met.
    case held
    /// Due, until enough of its own budget is available.
    case limited
    case running
  }
}
