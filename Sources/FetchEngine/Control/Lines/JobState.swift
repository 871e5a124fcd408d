package import FetchSchedule

/// What a job does now, in one word.
package enum JobState: String, Sendable, CaseIterable {
  case running
  /// Its time has come; something else holds it: a lane, the budget, a condition.
  case waiting
  /// Its time has not come.
  case scheduled
  /// Its time is later than usual, since its last runs failed.
  case backOff
  case paused
  case disabled
  /// Only a trigger makes it run.
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
