import FetchModel
import FetchValues

/// One hostname's queue: the waiting jobs, the running ones, and the time of the next allowed run.
struct Lane: Sendable {
  var waiting = IndexedHeap<Turn>()
  var runningCount = 0
  var rule: LaneRule
  /// The end of the gap after the last request.
  var gapEndsAt = Timestamp(milliseconds: .min)
  var closedUntil = Timestamp(milliseconds: .min)
  /// The number of 403 answers in a row, from any job.
  var forbiddenCount = 0
  /// The number of closures in a row without a Retry-After.
  var stormCount = 0
  var closure: LaneClosure = .retryAfter
  var queue: Queue = .none
  let hostname: String

  /// The queue of the scheduler in which the lane is.
  enum Queue: Sendable { case none, ready, timed }

  /// Some servers send 403 instead of 429 (FreshRSS #8928), but one forbidden page proves nothing.
  static let forbiddenMax = 5
  /// The wait of NetNewsWire after a 429 without Retry-After.
  static let closedMin: Duration = .seconds(600)
  static let closedMax: Duration = .seconds(86_400)

  init(hostname: String, rule: LaneRule) {
    self.hostname = hostname
    self.rule = rule
  }

  /// The lane of jobs that send no requests; never busy.
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

  /// Ends a run. The time of its last request is unknown, so the gap begins at the run's end. A run
  /// without requests costs no gap.
  mutating func end(_ summary: RunSummary, now: Timestamp) {
    runningCount = max(0, runningCount - 1)
    // With one connection, the gap was set by the start of this run.
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

  /// Whether `note` uses answers with that status.
  static func minds(_ status: Int) -> Bool { status == 403 || status == 429 }

  /// Notes the hostname's answer that made a run fail.
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

  /// Closes the lane for ten minutes, doubled each time until the next success.
  private mutating func storm(_ closure: LaneClosure, now: Timestamp) {
    let delay = min(Self.closedMin * (1 << min(stormCount, 8)), Self.closedMax)
    stormCount += 1
    forbiddenCount = 0
    close(until: now + delay, closure)
  }

  /// Returns why no run may start on the lane now; nil if one may.
  func obstacle(now: Timestamp) -> WaitReason? {
    if closedUntil > now { return .laneClosed(hostname: hostname, until: closedUntil, closure) }
    if isFull {
      return .laneBusy(hostname: hostname, running: runningCount, max: rule.connectionsMax)
    }
    if gapEndsAt > now { return .laneGap(hostname: hostname, gap: rule.gap, until: gapEndsAt) }
    return nil
  }
}
