package import FetchModel
package import FetchValues

/// The facts about one job that the scheduler stores, so that they survive a restart.
///
/// The value is small, because there may be a million jobs, and each decision reads and writes the
/// value of a job.
package struct JobSchedule: Hashable, Sendable {
  private struct Exceptions: SparsePart {
    var failingSince: Timestamp?
    var pausedAt: Timestamp?
    var pauseCause: PauseCause = .person
    var goneSource: [UInt8] = []
    var lastPushAt: Timestamp?
    var quota: [UInt8] = []
    var feedHints = FeedHints()
    var earlierReasons: [DueTime.Link] = []
  }

  /// The time at which the job is due; nil if the job runs only when something triggers it.
  package var dueAt: Timestamp?
  package var dueReason: DueReason = .firstRun
  package var lastStartAt: Timestamp?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The number of consecutive failed runs.
  package var failureCount = 0
  /// The number of runs that have begun, from which the random delay is derived.
  package var runCount: Int64 = 0
  /// The estimated cost of the next run. While a run is under way, this is the amount that was
  /// reserved for the run.
  package var estimate: RunCost = .unknown
  /// The encoded `AdaptiveState` of the job's source. The scheduler does not decode it.
  package var adaptive: [UInt8] = []
  private var exceptions = Sparse<Exceptions>()

  package init() {}

  /// The time of the first of the consecutive failures; nil if the last run did not fail.
  package var failingSince: Timestamp? {
    get { exceptions.unusual?.failingSince }
    set { if newValue != failingSince { exceptions.part.failingSince = newValue } }
  }

  /// The time at which the job was paused; nil if the job is not paused.
  package var pausedAt: Timestamp? {
    get { exceptions.unusual?.pausedAt }
    set { exceptions.part.pausedAt = newValue }
  }

  package var pauseCause: PauseCause {
    get { exceptions.part.pauseCause }
    set { exceptions.part.pauseCause = newValue }
  }

  /// The source that answered 410 Gone, in the form of `RunSummary.source`. The value is empty if
  /// the job is not paused for this reason, or if the source is unknown.
  package var goneSource: [UInt8] {
    get { exceptions.unusual?.goneSource ?? [] }
    set { if newValue != goneSource { exceptions.part.goneSource = newValue } }
  }

  package var lastPushAt: Timestamp? {
    get { exceptions.unusual?.lastPushAt }
    set { exceptions.part.lastPushAt = newValue }
  }

  /// The state of the job's own budget (see `Budget.encode`); empty if the job has no budget of its
  /// own.
  package var quota: [UInt8] {
    get { exceptions.part.quota }
    set { exceptions.part.quota = newValue }
  }

  /// The earlier reasons of the due time, in order, each with the due time that it gave. The list
  /// is empty if nothing has moved the due time, as for most jobs.
  var earlierReasons: [DueTime.Link] {
    get { exceptions.unusual?.earlierReasons ?? [] }
    set { if newValue != earlierReasons { exceptions.part.earlierReasons = newValue } }
  }

  /// The due time with all its reasons; nil if the job runs only when something triggers it.
  package var dueTime: DueTime? {
    dueAt.map { DueTime(at: $0, reason: dueReason, after: earlierReasons) }
  }

  /// Moves the due time and keeps the earlier reasons. If the same reason moves the time twice in a
  /// row, it is listed once.
  package mutating func moveDue(to time: Timestamp, _ reason: DueReason) {
    if let dueAt, reason != dueReason {
      var links = earlierReasons + [DueTime.Link(at: dueAt, reason: dueReason)]
      if links.count == DueTime.reasonsMax { links.remove(at: 1) }
      earlierReasons = links
    }
    dueAt = time
    dueReason = reason
  }

  /// The hints that the job's feeds contained when they were last read.
  package var feedHints: FeedHints {
    get { exceptions.unusual?.feedHints ?? FeedHints() }
    set { if newValue != feedHints { exceptions.part.feedHints = newValue } }
  }
}
