import FetchModel
package import FetchValues

/// Why a job does not run at this moment though it will later. A fact, with the numbers it rests on.
package enum WaitReason: Hashable, Sendable {
  /// Its time has not come.
  case notDue(until: Timestamp, DueReason)
  /// It has no time: only a trigger makes it run.
  case noInterval
  case backOff(failures: Int, until: Timestamp)
  case laneBusy(hostname: String, running: Int, max: Int)
  case laneGap(hostname: String, gap: Duration, until: Timestamp)
  case laneClosed(hostname: String, until: Timestamp, LaneClosure)
  case budget(BudgetObstacle)
  /// The job has spent what it alone may.
  case ownBudget(BudgetObstacle)
  case offline(since: Timestamp)
  /// Every connection failed lately, wherever it went.
  case networkDown(since: Timestamp, probeAt: Timestamp)
  /// The store could not be written since then; one job tries again then, or none where the process
  /// must be started again.
  case store(StoreTrouble, since: Timestamp, probeAt: Timestamp?)
  case acPower
  case load(now: Double, max: Double)
  case running(since: Timestamp)
  case paused(since: Timestamp, PauseCause)
  case allPaused(since: Timestamp)
  case disabled
  case outsideRunTimes(until: Timestamp)
  /// More than one push in `pushGap`.
  case pushLimited(until: Timestamp)
  /// Nothing holds it: it starts as soon as the scheduler is asked.
  case turn

  /// When it ends by itself; nil where something must happen first.
  package var until: Timestamp? {
    switch self {
    case .notDue(let until, _), .backOff(_, let until), .laneGap(_, _, let until),
      .laneClosed(_, let until, _), .outsideRunTimes(let until), .pushLimited(let until):
      until
    case .networkDown(_, let probeAt): probeAt
    case .store(_, _, let probeAt): probeAt
    case .budget(let obstacle), .ownBudget(let obstacle): obstacle.until
    default: nil
    }
  }
}

extension WaitReason {
  /// One sentence without its end, that goes on from "it waits: ".
  package func sentence(now: Timestamp) -> String {
    switch self {
    case .notDue(let until, let reason): "it is due \(until.awaited(now)) \(reason.phrase)"
    case .noInterval: "its interval is never, it runs only when it is triggered"
    case .backOff(let failures, let until):
      "failed \(times(failures)); next try \(until.awaited(now))"
    case .laneBusy(let hostname, let running, let max):
      "\(hostname) is asked by \(counted(running, "other run")), and at most \(max) may at once"
    case .laneGap(let hostname, let gap, let until):
      "\(hostname) is given \(gap.shortText) between requests, until \(until.awaitedPlain(now))"
    case .laneClosed(let hostname, let until, let closure):
      "\(hostname) is left alone until \(until.awaitedPlain(now)) because \(closure.phrase)"
    case .budget(let obstacle): obstacle.sentence(of: "the budget", now)
    case .ownBudget(let obstacle): obstacle.sentence(of: "its own budget", now)
    case .offline(let since): "this machine is offline since \(since.plain)"
    case .networkDown(let since, let probeAt):
      "every connection fails since \(since.plain), so the network is taken for down;"
        + " one job tries again \(probeAt.awaited(now))"
    case .store(let trouble, let since, let probeAt):
      "the store cannot be written since \(since.plain): \(trouble.message); "
        + (probeAt.map { "one job tries again \($0.awaited(now))" }
          ?? "no job runs before that")
    case .acPower: "it runs on mains power only, and this machine is on battery"
    case .load(let load, let max):
      "the load of this machine is \(load.hundredths), and the job runs below \(max.written)"
    case .running(let since): "it is running since \(since.plain)"
    case .paused(let since, .person): "it is paused since \(since.plain)"
    case .paused(let since, .gone):
      "it is paused since \(since.plain) because its source answered 410 Gone"
    case .allPaused(let since): "all jobs are paused since \(since.plain)"
    case .disabled: "it is disabled in the config"
    case .outsideRunTimes(let until): "it is outside its run times until \(until.awaitedPlain(now))"
    case .pushLimited(let until):
      "it was pushed less than \(TriggerKind.pushGap.shortText) ago and is due \(until.awaited(now))"
    case .turn: "it is due, and nothing holds it"
    }
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

extension BudgetObstacle {
  fileprivate func sentence(of budget: String, _ now: Timestamp) -> String {
    switch self {
    case .runsAtOnce(let max):
      "\(counted(max, "run")) may be under way at once, and as many are"
    case .spent(let resource, let rate, let until):
      "\(amount(of: budget, resource, rate)) has too little left until \(until.awaitedPlain(now))"
    }
  }

  /// `the budget of 60 requests an hour`.
  func amount(of budget: String, _ resource: BudgetResource, _ rate: Rate) -> String {
    "\(budget) of \(resource.text(Double(rate.amount))) \(resource.measured)\(rate.period.phrase)"
  }
}

extension BudgetResource {
  /// `requests `, `of CPU time `; nothing where the unit says it.
  fileprivate var measured: String {
    switch self {
    case .requests: "requests "
    case .bytes: ""
    case .cpu: "of CPU time "
    case .runTime: "of run time "
    }
  }
}

extension Timestamp {
  var plain: String { descriptionInSeconds }

  /// `at 2026-11-20T10:00:00Z (in 5m)`.
  func awaited(_ now: Timestamp) -> String { "at " + awaitedPlain(now) }

  /// Seconds rounded up, so that it is never said to be over before it is.
  func awaitedPlain(_ now: Timestamp) -> String {
    let rounded = Timestamp(seconds: -(-milliseconds).floorDivided(by: 1000))
    let rest = max(0, rounded.seconds - now.seconds)
    return "\(rounded.descriptionInSeconds) (in \(Duration.seconds(rest).shortText))"
  }
}

extension Double {
  /// Two digits after the point, as machines show their load.
  fileprivate var hundredths: String {
    guard isFinite else { return "unknown" }
    let hundredths = Int((Swift.max(0, Swift.min(self, 1e9)) * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// All its digits, and no point where it is whole.
  fileprivate var written: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
