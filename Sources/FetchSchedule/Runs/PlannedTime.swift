package import FetchValues

/// The learned schedule's answer for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// The hint that moved the time.
  package var hint: SourceHint?
  /// The time before the hint moved it; nil if no hint did.
  package var chosenAt: Timestamp?
  /// The new value of `JobSchedule.adaptive`.
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
