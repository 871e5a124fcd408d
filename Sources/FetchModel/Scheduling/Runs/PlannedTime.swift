/// The learned schedule's answer for a job with `interval: adaptive`.
package struct PlannedTime: Hashable, Sendable {
  package var dueAt: Timestamp
  /// Kept in `JobSchedule.adaptive`.
  package var state: [UInt8]

  package init(dueAt: Timestamp, state: [UInt8] = []) {
    self.dueAt = dueAt
    self.state = state
  }
}
