package import FetchValues

/// The learned schedule's answer for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// The hint that moved it there.
  package var hint: SourceHint?
  /// Kept in `JobSchedule.adaptive`.
  package var state: [UInt8]

  package init(dueAt: Timestamp, hint: SourceHint? = nil, state: [UInt8] = []) {
    self.dueAt = dueAt
    self.hint = hint
    self.state = state
  }
}
