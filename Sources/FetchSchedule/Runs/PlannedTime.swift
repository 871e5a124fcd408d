package import FetchValues

/// The learned schedule's answer for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// The hint that moved it there.
  package var hint: SourceHint?
  /// What the learned schedule chose before the hint; nil where no hint moved the time.
  package var chosenAt: Timestamp?
  /// Kept in `JobSchedule.adaptive`.
  package var state: [UInt8]

  package init(
    dueAt: Timestamp, hint: SourceHint? = nil, chosenAt: Timestamp? = nil,
    state: [UInt8] = []
  ) {
    self.dueAt = dueAt
    self.hint = hint
    self.chosenAt = chosenAt
    self.state = state
  }
}
