import FetchValues

/// The row of one job in the scheduler's table. The row is small, because there may be a million
/// rows, and each decision reads and writes one of them.
struct JobCell: Sendable {
  var schedule: JobSchedule
  /// The finish tag of the job's last place in a lane's queue: see `Turn`.
  var finishTag = 0.0
  /// The due time that the job had before a trigger changed it. For a job that catches up on all
  /// missed times, it is the missed time of the current run.
  var dueBefore: Timestamp?
  /// The reason for `dueBefore`.
  var reasonBefore = DueReason.Code.interval
  /// The earlier reasons of `dueBefore`, which precede `reasonBefore`; empty for most jobs.
  var earlierReasonsBefore: [DueTime.Link] = []
  var place: Place = .idle
  /// Whether the job's run tests if the network is back. At most one job's run is such a test.
  var isProbe = false
  /// Whether the job's run tests if the store is writable again. At most one job's run is such a
  /// test.
  var triesStore = false
  /// Whether the config changed the job's hostname during its run, so that the job must move to
  /// another lane.
  var changesLane = false
  /// Whether the job will be removed when its run ends.
  var isRemoved = false
  /// The first trigger that came during the current run. One more run follows for all triggers that
  /// came during the run.
  var runsAgain: TriggerKind?
  /// The number of runs that may still catch up on missed times one by one, including the current
  /// run. The number is below the maximum only within a series of such runs.
  var catchUpsLeft: Int16 = 0
  /// The lane in which the job waits or runs. Lane 0 is the lane of jobs that send no requests.
  var lane: Int32 = 0

  enum Place: Sendable {
    /// The job is in no queue: it has no due time, is paused or is disabled.
    case idle
    /// The job is in the queue of due times.
    case scheduled
    /// The job is due and waits in the queue of its lane.
    case waiting
    /// The job is due, but waits until its conditions are met.
    case held
    /// The job is due, but waits until its own budget has enough left.
    case limited
    case running
  }
}
