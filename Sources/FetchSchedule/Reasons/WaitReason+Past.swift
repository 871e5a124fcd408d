import FetchValues

extension WaitReason {
  /// The reason why a started run had to wait, in words that follow "waited 2h ". It is nil if the
  /// run only waited for its due time or its place in the queue.
  package var pastPhrase: String? {
    switch self {
    case .laneBusy(let hostname, _, _): "while \(hostname) was busy with other runs"
    case .laneGap(let hostname, let gap, _):
      "because requests to \(hostname) are at least \(gap.shortText) apart"
    case .laneClosed(let hostname, _, let closure):
      "while \(hostname) got no requests because \(closure.phrase)"
    case .budget(let obstacle): obstacle.pastPhrase(of: "the budget")
    case .ownBudget(let obstacle): obstacle.pastPhrase(of: "its own budget")
    case .offline: "while this machine was offline"
    case .networkDown: "while the network was considered down"
    case .store: "while the store was not writable"
    case .acPower: "while this machine was on battery"
    case .load: "while the load of this machine was too high"
    case .outsideRunTimes: "while it was outside its run times"
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
      "while the limit of \(counted(max, "concurrent run")) was reached"
    case .spent(let resource, let rate, _): "while \(amount(of: budget, resource, rate)) was spent"
    }
  }
}
