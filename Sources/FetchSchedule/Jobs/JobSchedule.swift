package import FetchModel
package import FetchValues

/// What the scheduler remembers of one job across restarts.
///
/// Small, since each decision reads and writes one of what may be a million.
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

  /// Nil: only a trigger makes it run.
  package var dueAt: Timestamp?
  package var dueReason: DueReason = .firstRun
  package var lastStartAt: Timestamp?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// Failures in a row.
  package var failureCount = 0
  /// Runs begun: what jitter is counted by.
  package var runCount: Int64 = 0
  /// What the next run is believed to cost; while one is under way, what was set aside for it.
  package var estimate: RunCost = .unknown
  /// The adaptive interval's memory, opaque here.
  package var adaptive: [UInt8] = []
  private var exceptions = Sparse<Exceptions>()

  package init() {}

  /// When the first of the failures in a row was; nil while there is none.
  package var failingSince: Timestamp? {
    get { exceptions.unusual?.failingSince }
    set { if newValue != failingSince { exceptions.part.failingSince = newValue } }
  }

  /// Nil: not paused.
  package var pausedAt: Timestamp? {
    get { exceptions.unusual?.pausedAt }
    set { exceptions.part.pausedAt = newValue }
  }

  package var pauseCause: PauseCause {
    get { exceptions.part.pauseCause }
    set { exceptions.part.pauseCause = newValue }
  }

  /// What was asked of whom when 410 Gone came back: see `RunSummary.source`. Empty where the job is
  /// not paused for that, or where that is not known.
  package var goneSource: [UInt8] {
    get { exceptions.unusual?.goneSource ?? [] }
    set { if newValue != goneSource { exceptions.part.goneSource = newValue } }
  }

  package var lastPushAt: Timestamp? {
    get { exceptions.unusual?.lastPushAt }
    set { exceptions.part.lastPushAt = newValue }
  }

  /// What is left of its own budget: see `Budget.encode`. Empty without one.
  package var quota: [UInt8] {
    get { exceptions.part.quota }
    set { exceptions.part.quota = newValue }
  }

  /// The reasons of the due time before `dueReason`, in order, each with its time. Empty where nothing
  /// has moved the time, as for most jobs.
  var earlierReasons: [DueTime.Link] {
    get { exceptions.unusual?.earlierReasons ?? [] }
    set { if newValue != earlierReasons { exceptions.part.earlierReasons = newValue } }
  }

  /// The due time with all its reasons; nil where only a trigger makes the job run.
  package var dueTime: DueTime? {
    dueAt.map { DueTime(at: $0, reason: dueReason, after: earlierReasons) }
  }

  /// Moves the due time, and keeps why it was due when it was. A reason that moves it twice in a row
  /// counts once.
  package mutating func moveDue(to time: Timestamp, _ reason: DueReason) {
    if let dueAt, reason != dueReason {
      var links = earlierReasons + [DueTime.Link(at: dueAt, reason: dueReason)]
      if links.count == DueTime.reasonsMax { links.remove(at: 1) }
      earlierReasons = links
    }
    dueAt = time
    dueReason = reason
  }

  /// What its feeds said of themselves when they were last read.
  package var feedHints: FeedHints {
    get { exceptions.unusual?.feedHints ?? FeedHints() }
    set { if newValue != feedHints { exceptions.part.feedHints = newValue } }
  }
}
