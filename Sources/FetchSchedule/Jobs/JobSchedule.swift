package import FetchModel
package import FetchValues

/// The scheduler's memory of one job across restarts.
///
/// It is small, because each decision reads and writes one of up to a million.
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

  /// The due time; nil if only a trigger makes the job run.
  package var dueAt: Timestamp?
  package var dueReason: DueReason = .firstRun
  package var lastStartAt: Timestamp?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The number of failures in a row.
  package var failureCount = 0
  /// The number of runs begun, which drives jitter.
  package var runCount: Int64 = 0
  /// The estimated cost of the next run; during a run, the amount reserved for it.
  package var estimate: RunCost = .unknown
  /// The adaptive schedule's memory, opaque here.
  package var adaptive: [UInt8] = []
  private var exceptions = Sparse<Exceptions>()

  package init() {}

  /// The time of the first failure in a row; nil if the last run did not fail.
  package var failingSince: Timestamp? {
    get { exceptions.unusual?.failingSince }
    set { if newValue != failingSince { exceptions.part.failingSince = newValue } }
  }

  /// The time of the pause; nil if not paused.
  package var pausedAt: Timestamp? {
    get { exceptions.unusual?.pausedAt }
    set { exceptions.part.pausedAt = newValue }
  }

  package var pauseCause: PauseCause {
    get { exceptions.part.pauseCause }
    set { exceptions.part.pauseCause = newValue }
  }

  /// The source that answered 410 Gone, in the form of `RunSummary.source`. Empty if the job is not
  /// paused for that, or if the source is unknown.
  package var goneSource: [UInt8] {
    get { exceptions.unusual?.goneSource ?? [] }
    set { if newValue != goneSource { exceptions.part.goneSource = newValue } }
  }

  package var lastPushAt: Timestamp? {
    get { exceptions.unusual?.lastPushAt }
    set { exceptions.part.lastPushAt = newValue }
  }

  /// The state of its own budget: see `Budget.encode`. Empty without one.
  package var quota: [UInt8] {
    get { exceptions.part.quota }
    set { exceptions.part.quota = newValue }
  }

  /// The reasons before `dueReason`, in order, each with its time. Empty if nothing has moved the
  /// time, as for most jobs.
  var earlierReasons: [DueTime.Link] {
    get { exceptions.unusual?.earlierReasons ?? [] }
    set { if newValue != earlierReasons { exceptions.part.earlierReasons = newValue } }
  }

  /// The due time with all its reasons; nil if only a trigger makes the job run.
  package var dueTime: DueTime? {
    dueAt.map { DueTime(at: $0, reason: dueReason, after: earlierReasons) }
  }

  /// Moves the due time and keeps the earlier reasons. A reason that moves it twice in a row counts
  /// once.
  package mutating func moveDue(to time: Timestamp, _ reason: DueReason) {
    if let dueAt, reason != dueReason {
      var links = earlierReasons + [DueTime.Link(at: dueAt, reason: dueReason)]
      if links.count == DueTime.reasonsMax { links.remove(at: 1) }
      earlierReasons = links
    }
    dueAt = time
    dueReason = reason
  }

  /// The hints of its feeds when they were last read.
  package var feedHints: FeedHints {
    get { exceptions.unusual?.feedHints ?? FeedHints() }
    set { if newValue != feedHints { exceptions.part.feedHints = newValue } }
  }
}
