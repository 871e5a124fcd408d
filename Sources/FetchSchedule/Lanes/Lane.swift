import FetchModel
import FetchValues

/// One hostname's queue: who waits for it, who asks it, when it may be asked again.
struct Lane: Sendable {
  var waiting = IndexedHeap<Turn>()
  var runningCount = 0
  var rule: LaneRule
  /// The end of the gap after the last request.
  var gapEndsAt = Timestamp(milliseconds: .min)
  var closedUntil = Timestamp(milliseconds: .min)
  /// 403 answers in a row, from any job.
  var forbiddenCount = 0
  /// How often in a row it closed without having been told for how long.
  var stormCount = 0
  var closure: LaneClosure = .retryAfter
  var queue: Queue = .none
  let hostname: String

  /// Which of the scheduler's two queues of lanes it stands in.
  enum Queue: Sendable { case none, ready, timed }

  /// Some servers say 429 by 403 (FreshRSS #8928); one forbidden page is not yet that.
  static let forbiddenMax = 5
  /// What NetNewsWire waits after a 429 without Retry-After.
  static let closedMin: Duration = .seconds(600)
  static let closedMax: Duration = .seconds(86_400)

  init(hostname: String, rule: LaneRule) {
    self.hostname = hostname
    self.rule = rule
  }

  /// The lane of jobs that ask nobody: never busy.
  static let open: Lane = {
    var rule = LaneRule()
    rule.connectionsMax = .max
    rule.gap = .zero
    return Lane(hostname: "", rule: rule)
  }()

  var isFull: Bool { runningCount >= max(1, rule.connectionsMax) }
  var opensAt: Timestamp { max(gapEndsAt, closedUntil) }

  mutating func start(now: Timestamp) {
    runningCount += 1
    gapEndsAt = max(gapEndsAt, now + rule.gap)
  }

  /// When the last of several requests was sent is not known: the run's end is not before it. A run
  /// that sent none costs no gap.
  mutating func end(_ summary: RunSummary, now: Timestamp) {
    runningCount = max(0, runningCount - 1)
    // With one connection it is this run's start that put the gap there.
    if summary.cost.requests == 0, rule.connectionsMax <= 1 { gapEndsAt = min(gapEndsAt, now) }
    if summary.cost.requests > 1 { gapEndsAt = max(gapEndsAt, now + rule.gap) }
    if let until = summary.retryAfter { return close(until: until, .retryAfter) }
    if let status = summary.httpStatus { note(status, now: now) }
    if summary.isSuccess { noteSuccess() }
  }

  mutating func noteSuccess() {
    forbiddenCount = 0
    stormCount = 0
  }

  /// Whether `note` has a use for such an answer.
  static func minds(_ status: Int) -> Bool { status == 403 || status == 429 }

  /// What the hostname answered to a run that failed by it.
  mutating func note(_ status: Int, now: Timestamp) {
    switch status {
    case 429: storm(.tooManyRequests, now: now)
    case 403:
      forbiddenCount += 1
      if forbiddenCount >= Self.forbiddenMax { storm(.forbidden(forbiddenCount), now: now) }
    default: break
    }
  }

  mutating func close(until: Timestamp, _ closure: LaneClosure) {
    guard until > closedUntil else { return }
    closedUntil = until
    self.closure = closure
  }

  /// Ten minutes, and twice as long each time it comes again without a success between.
  private mutating func storm(_ closure: LaneClosure, now: Timestamp) {
    let delay = min(Self.closedMin * (1 << min(stormCount, 8)), Self.closedMax)
    stormCount += 1
    forbiddenCount = 0
    close(until: now + delay, closure)
  }

  /// Why nothing more may start on it now; nil when something may.
  func obstacle(now: Timestamp) -> WaitReason? {
    if closedUntil > now { return .laneClosed(hostname: hostname, until: closedUntil, closure) }
    if isFull {
      return .laneBusy(hostname: hostname, running: runningCount, max: rule.connectionsMax)
    }
    if gapEndsAt > now { return .laneGap(hostname: hostname, gap: rule.gap, until: gapEndsAt) }
    return nil
  }
}
