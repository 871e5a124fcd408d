package import FetchSchedule

/// The state of a job in one word.
package enum JobState: String, Sendable, CaseIterable {
  case running
  /// It is due, but a lane, the budget or a condition holds it.
  case waiting
  /// It is not due yet.
  case scheduled
  /// It is due later than usual, since its last runs failed.
  case backOff
  case paused
  case disabled
  /// It runs only when triggered.
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
