import FetchValues

extension WaitReason {
  /// What held a run that has started since: goes on from "waited 2h ". Nil where that is no more
  /// than its time or its turn.
  package var pastPhrase: String? {
    switch self {
    case .laneBusy(let hostname, _, _): "as \(hostname) was asked by others"
    case .laneGap(let hostname, let gap, _):
      "as \(hostname) is given \(gap.shortText) between requests"
    case .laneClosed(let hostname, _, let closure):
      "as \(hostname) was left alone because \(closure.phrase)"
    case .budget(let obstacle): obstacle.pastPhrase(of: "the budget")
    case .ownBudget(let obstacle): obstacle.pastPhrase(of: "its own budget")
    case .offline: "as this machine was offline"
    case .networkDown: "as the network was taken for down"
    case .store: "as the store could not be written"
    case .acPower: "as this machine was on battery"
    case .load: "as the load of this machine was too high"
    case .outsideRunTimes: "as it was outside its run times"
    case .notDue, .noInterval, .backOff, .pushLimited, .running, .paused, .allPaused, .disabled,
      .turn:
      nil
    }
  }
}

extension BudgetObstacle {
  fileprivate func pastPhrase(of budget: String) -> String {
    switch self {
    case .runsAtOnce(let max):
      "as \(counted(max, "run")) may be under way at once, and as many were"
    case .spent(let resource, let rate, _): "as \(amount(of: budget, resource, rate)) was spent"
    }
  }
}
