package import FetchSchedule

/// The state of a job as one word.
package enum JobState: String, Sendable, CaseIterable {
  case running
  /// The job is due, but a lane, the budget or a condition holds it.
  case waiting
  /// The job is not due yet.
  case scheduled
  /// The job is due later than its interval says, since its last runs failed.
  case backOff
  case paused
  case disabled
  /// The job runs only when it is triggered.
  case idle

  package init(_ reason: WaitReason) {
    self =
      switch reason {
      case .running: .running
      case .notDue, .outsideRunTimes, .pushLimited: .scheduled
      case .backOff: .backOff
      case .paused, .allPaused: .paused
      case .disabled: .disabled
      case .noInterval: .idle
      case .laneBusy, .laneGap, .laneClosed, .budget, .ownBudget, .offline, .networkDown, .store,
        .acPower, .load, .turn:
        .waiting
      }
  }
}
