import FetchModel
package import FetchValues

/// The reason why a job does not run now, with the details that a message needs.
package enum WaitReason: Hashable, Sendable {
  /// The job's due time is in the future.
  case notDue(until: Timestamp, DueReason)
  /// The job has no due time, so it runs only when triggered.
  case noInterval
  /// Only the store has the job, so the job's interval is unknown.
  case unlisted
  case backOff(failures: Int, until: Timestamp)
  case laneBusy(hostname: String, running: Int, max: Int)
  case laneGap(hostname: String, gap: Duration, until: Timestamp)
  case laneClosed(hostname: String, until: Timestamp, LaneClosure)
  case budget(BudgetObstacle)
  /// The job's own budget does not allow a run.
  case ownBudget(BudgetObstacle)
  case offline(since: Timestamp)
  /// The network is presumed to be down, because recent connections have failed.
  case networkDown(since: Timestamp, probeAt: Timestamp)
  /// The store has refused runs since `since`. The next test of the store is at `probeAt` at the
  /// earliest. The time is nil if the process must be restarted.
  case store(StoreTrouble, since: Timestamp, probeAt: Timestamp?)
  case acPower
  case load(now: Double, max: Double)
  case running(since: Timestamp)
  case paused(since: Timestamp, PauseCause)
  case allPaused(since: Timestamp)
  case disabled
  case outsideRunTimes(until: Timestamp)
  /// The run for a push must wait, because the due times of such runs are at least
  /// `TriggerKind.pushGap` apart.
  case pushLimited(until: Timestamp)
  /// No obstacle is known, so the next call of `due(now:)` usually starts the job.
  case turn

  /// The time at which the wait may end without an event; nil if no such time is known.
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
  /// Returns a sentence about the wait, without a full stop. The sentence for `backOff` has no
  /// subject.
  package func sentence(now: Timestamp) -> String { sentence("it", now) }

  /// Returns a sentence that names the job, without a full stop. It says "waits" only if the job has
  /// a run to wait for.
  package func sentence(of job: JobName, now: Timestamp) -> String {
    switch self {
    case .running, .paused, .disabled: sentence(job.text, now)
    case .backOff: "\(job) \(sentence(now: now))"
    case .noInterval: "\(job) runs only when triggered: its interval is never"
    case .unlisted: "\(job) has no known schedule: no config with this job was read"
    default: "\(job) waits: \(sentence(now: now))"
    }
  }

  private func sentence(_ subject: String, _ now: Timestamp) -> String {
    switch self {
    case .notDue(let until, let reason): "it is due \(until.awaited(now)) \(reason.phrase)"
    case .noInterval: "its interval is never: it runs only when triggered"
    case .unlisted: "no config with this job was read, so its schedule is unknown"
    case .backOff(let failures, let until):
      "failed \(times(failures)); next try \(until.awaited(now))"
    case .laneBusy(let hostname, let running, let max):
      "\(hostname) is busy with \(counted(running, "other run")) (at most \(max) at a time)"
    case .laneGap(let hostname, let gap, let until):
      "requests to \(hostname) are at least \(gap.shortText) apart;"
        + " the next is possible \(until.awaited(now))"
    case .laneClosed(let hostname, let until, let closure):
      "\(hostname) gets no requests until \(until.awaitedPlain(now)) because \(closure.phrase)"
    case .budget(let obstacle): obstacle.sentence(of: "the budget", now)
    case .ownBudget(let obstacle): obstacle.sentence(of: "its own budget", now)
    case .offline(let since): "this machine has been offline since \(since.plain)"
    case .networkDown(let since, let probeAt):
      "connections have failed since \(since.plain), so the network is considered down; one "
        + "job tests the network \(probeAt.awaited(now))"
    case .store(let trouble, let since, let probeAt):
      "the store has not been writable since \(since.plain): \(trouble.message); "
        + (probeAt.map { "one job tries again \($0.awaited(now))" }
          ?? "no job runs until fetchrun is restarted")
    case .acPower: "it runs only on mains power, but this machine is on battery"
    case .load(let load, let max):
      "the load of this machine is \(load.hundredths); the job runs only below \(max.written)"
    case .running(let since): "\(subject) has been running since \(since.plain)"
    case .paused(let since, .person): "\(subject) has been paused since \(since.plain)"
    case .paused(let since, .gone):
      "\(subject) has been paused since \(since.plain) because its source answered 410 Gone"
    case .allPaused(let since): "all jobs have been paused since \(since.plain)"
    case .disabled: "\(subject) is disabled in the config"
    case .outsideRunTimes(let until): "its run times begin again \(until.awaited(now))"
    case .pushLimited(let until):
      "it was pushed and is due \(until.awaited(now)): pushes start at most one run of a job"
        + " every \(TriggerKind.pushGap.shortText)"
    case .turn: "it is due and can start now"
    }
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}

extension BudgetObstacle {
  fileprivate func sentence(of budget: String, _ now: Timestamp) -> String {
    switch self {
    case .runsAtOnce(let max):
      "the limit of \(counted(max, "concurrent run")) is reached"
    case .spent(let resource, let rate, let until):
      "\(amount(of: budget, resource, rate)) has too little left until \(until.awaitedPlain(now))"
    }
  }

  /// Returns the words for a budget's limit, such as `the budget of 60 requests an hour`.
  func amount(of budget: String, _ resource: BudgetResource, _ rate: Rate) -> String {
    let amount = resource.text(Double(rate.amount))
    return "\(budget) of \(amount) \(resource.measured(rate.amount))\(rate.period.phrase)"
  }
}

extension BudgetResource {
  /// Returns the words that follow the amount of a resource, such as `requests ` or `of CPU time `.
  /// The result is empty for bytes, because their amount already contains the unit.
  fileprivate func measured(_ amount: Int64) -> String {
    switch self {
    case .requests: amount == 1 ? "request " : "requests "
    case .bytes: ""
    case .cpu: "of CPU time "
    case .runTime: "of run time "
    }
  }
}

extension Timestamp {
  var plain: String { descriptionInSeconds }

  func awaited(_ now: Timestamp) -> String { "at " + awaitedPlain(now) }

  /// Returns the time with the remaining wait, such as `2026-11-20T10:00:00Z (in 5m)`. Seconds are
  /// rounded up, so that the shown time is not before the end of the wait.
  func awaitedPlain(_ now: Timestamp) -> String {
    let rounded = Timestamp(seconds: -(-milliseconds).floorDivided(by: 1000))
    let rest = max(0, rounded.seconds - now.seconds)
    return "\(rounded.descriptionInSeconds) (in \(Duration.seconds(rest).shortText))"
  }
}

extension Double {
  /// The number with two decimals, as in a load average; `unknown` if it is not finite.
  fileprivate var hundredths: String {
    guard isFinite else { return "unknown" }
    let hundredths = Int((Swift.max(0, Swift.min(self, 1e9)) * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// The number with all its digits. A whole number has no decimal point.
  fileprivate var written: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension WaitReason {
  /// The reason why a started run had to wait, in words that follow "waited 2h ". It is nil for a
  /// wait that needs no mention, such as the wait for the due time or the end of a pause.
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
    case .notDue, .noInterval, .unlisted, .backOff, .pushLimited, .running, .paused, .allPaused,
      .disabled, .turn:
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

/// A condition for the start of a run, with the reason if the condition is not met now.
package struct Gate: Hashable, Sendable {
  /// The conditions in the order in which the scheduler checks them.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The job is enabled in the config, or a person has requested a run.
    case enabled
    /// Neither the job nor all jobs are paused.
    case pause
    /// The job's due time has come. Delays by hints belong to the gate `hints`. Delays by run times
    /// belong to the gate `runTimes` while the job is outside its run times.
    case due
    /// No hint of the source, such as Retry-After or a feed's ttl, requires a later time.
    case hints
    /// The job's run times allow a run now.
    case runTimes
    /// The store can be written.
    case store
    /// The network is presumed to work, or the job needs none.
    case network
    /// The machine's power and load meet the job's conditions.
    case conditions
    /// The job's own budget allows a run.
    case ownBudget
    /// The lane of the job's hostname allows another run.
    case lane
    /// The budget of all jobs allows a run.
    case budget
  }

  package var kind: Kind
  /// The reason why the gate stops the run now; nil if the gate is open.
  package var obstacle: WaitReason?

  package init(_ kind: Kind, _ obstacle: WaitReason?) {
    self.kind = kind
    self.obstacle = obstacle
  }

  package var isOpen: Bool { obstacle == nil }

  /// Returns a sentence about the closed gate, without a full stop; nil if the gate is open.
  package func sentence(now: Timestamp) -> String? { obstacle?.sentence(now: now) }
}

/// The cause of a job's pause.
package enum PauseCause: String, Hashable, Sendable, CaseIterable {
  case person
  /// The source answered 410 Gone.
  case gone
}

/// The reason why a hostname is closed, so that no requests are sent to it.
package enum LaneClosure: Hashable, Sendable {
  /// The hostname sent Retry-After.
  case retryAfter
  /// The hostname answered 429 Too Many Requests.
  case tooManyRequests
  /// The last answer of the given number of failed runs was 403 from the hostname, without a
  /// success in between. Some servers send 403 instead of 429.
  case forbidden(Int)

  var phrase: String {
    switch self {
    case .retryAfter: "it sent Retry-After"
    case .tooManyRequests: "it answered 429 Too Many Requests"
    case .forbidden(let count): "it answered 403 Forbidden \(count) times without a success"
    }
  }
}

/// The reason why a store cannot be written.
package struct StoreTrouble: Hashable, Sendable {
  /// The problem and what to do, as a sentence without a full stop.
  package var message: String
  /// Whether the problem may end without a restart, like a full disk or another program's lock.
  /// Otherwise the process must be restarted.
  package var mayPass: Bool

  package init(_ message: String, mayPass: Bool) {
    self.message = message
    self.mayPass = mayPass
  }
}

/// The state of the store as the last runs found it.
enum StoreState: Hashable, Sendable {
  case up
  /// The store refused a run. Until it accepts one, only runs that test the store start. The next
  /// test is at `probeAt` at the earliest, if the problem may pass without a restart.
  case refusing(StoreTrouble, since: Timestamp, probeAt: Timestamp, probeDelay: Duration)

  static let probeDelayMin: Duration = .seconds(60)
  static let probeDelayMax: Duration = .seconds(600)
  /// The time after a problem of the store within which a new problem begins with a longer delay
  /// between tests. The delay is twice the last one, but at most `probeDelayMax`. After this time,
  /// the first delay is `probeDelayMin`. A store may have room for small results but not for a
  /// large result. Without this rule, the source of the large result would be fetched again each
  /// minute.
  static let relapseMax: Duration = .seconds(3600)
}
