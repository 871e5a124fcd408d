import FetchValues

/// One job in the scheduler's table; each decision reads and writes one of what may be a million.
struct JobCell: Sendable {
  var schedule: JobSchedule
  /// Finish tag of its last turn: see `Turn`.
  var finishTag = 0.0
  /// When it would have been due without the trigger; where all missed times are caught up on, the
  /// one that the run under way is for.
  var dueBefore: Timestamp?
  /// Why it would have been.
  var reasonBefore = DueReason.Code.interval
  /// The reasons before that one; empty for most jobs.
  var earlierReasonsBefore: [DueTime.Link] = []
  var place: Place = .idle
  /// The one job that tries whether the network is back.
  var isProbe = false
  /// The one job that tries whether the store can be written again.
  var triesStore = false
  /// Another hostname was configured while it ran.
  var changesLane = false
  /// To be forgotten when its run ends.
  var isRemoved = false
  /// A trigger that came during a run: one more run follows, for all of them.
  var runsAgain: TriggerKind?
  /// Runs that may still make up for missed times one by one, with the one under way; fewer than at
  /// most in a row of them.
  var catchUpsLeft: Int16 = 0
  /// Where it waits or runs; 0 is the lane of jobs that ask nobody.
  var lane: Int32 = 0

  enum Place: Sendable {
    /// In no queue: no due time, paused or disabled.
    case idle
    /// In the queue of due times.
    case scheduled
    /// In its lane's queue.
    case waiting
    /// Due, until its conditions hold.
    case held
    /// Due, until enough of its own budget has come back.
    case limited
    case running
  }
}
