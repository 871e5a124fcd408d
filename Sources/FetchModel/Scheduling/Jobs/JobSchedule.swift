/// What the scheduler remembers of one job across restarts.
package struct JobSchedule: Hashable, Sendable {
  /// Nil: only a trigger makes it run.
  package var dueAt: Timestamp?
  package var dueReason: DueReason = .firstRun
  package var lastStartAt: Timestamp?
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// When the first of the failures in a row was; nil while there is none.
  package var failingSince: Timestamp?
  /// Failures in a row.
  package var failureCount = 0
  /// Nil: not paused.
  package var pausedAt: Timestamp?
  package var pauseCause: PauseCause = .person
  package var lastPushAt: Timestamp?
  /// Runs begun: what jitter is counted by.
  package var runCount: Int64 = 0
  /// What the next run is believed to cost.
  package var estimate: RunCost = .unknown
  /// What is left of its own budget: see `Budget.encode`. Empty without one.
  package var quota: [UInt8] = []
  /// What its feeds said of themselves when they were last read.
  package var feedHints = FeedHints()
  /// The adaptive interval's memory, opaque here.
  package var adaptive: [UInt8] = []

  package init() {}
}
