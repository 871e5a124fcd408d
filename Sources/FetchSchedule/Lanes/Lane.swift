import FetchModel
package import FetchValues

/// The queue of one hostname: the waiting jobs, the number of running jobs, and the time at which
/// the next run may start.
struct Lane: Sendable {
  var waiting = IndexedHeap<Turn>()
  var runningCount = 0
  var rule: LaneRule
  /// The end of the required gap after the last request.
  var gapEndsAt = Timestamp(milliseconds: .min)
  var closedUntil = Timestamp(milliseconds: .min)
  /// The number of failed runs whose last answer was 403, and in which the hostname sent no
  /// Retry-After. `noteSuccess` or a closure by `storm` resets it to 0.
  var forbiddenCount = 0
  /// The number of closures by `storm` since the last success.
  var stormCount = 0
  var closure: LaneClosure = .retryAfter
  var queue: Queue = .none
  let hostname: String

  /// The scheduler's queue that contains the lane.
  enum Queue: Sendable { case none, ready, timed }

  /// The value of `forbiddenCount` at which the lane is closed. Some servers send 403 instead of
  /// 429 (FreshRSS #8928), but one forbidden page proves nothing.
  static let forbiddenMax = 5
  /// The duration of the first closure by `storm` since the last call of `noteSuccess`. NetNewsWire
  /// uses the same duration after a 429.
  static let closedMin: Duration = .seconds(600)
  static let closedMax: Duration = .seconds(86_400)

  init(hostname: String, rule: LaneRule) {
    self.hostname = hostname
    self.rule = rule
  }

  /// The lane of jobs without a hostname. It never makes a job wait.
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

  /// Records the end of a run. After a run with several requests, the gap begins at the end of the
  /// run, because the time of the last request is unknown. A run without requests causes no gap if
  /// the lane allows only one connection.
  mutating func end(_ summary: RunSummary, now: Timestamp) {
    runningCount = max(0, runningCount - 1)
    // If the lane allows only one connection, only the start of this run can have set the gap.
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

  /// Whether `note` reacts to answers with the given status.
  static func minds(_ status: Int) -> Bool { status == 403 || status == 429 }

  /// Records the status of the last answer of a failed run. An answer 403 or 429 came from the
  /// lane's hostname.
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

  /// Closes the lane for ten minutes. The duration doubles with each further call, up to a day.
  /// `noteSuccess` resets the duration.
  private mutating func storm(_ closure: LaneClosure, now: Timestamp) {
    let delay = min(Self.closedMin * (1 << min(stormCount, 8)), Self.closedMax)
    stormCount += 1
    forbiddenCount = 0
    close(until: now + delay, closure)
  }

  /// Returns why no run may start on the lane now; nil if a run may start.
  func obstacle(now: Timestamp) -> WaitReason? {
    if closedUntil > now { return .laneClosed(hostname: hostname, until: closedUntil, closure) }
    if isFull {
      return .laneBusy(hostname: hostname, running: runningCount, max: rule.connectionsMax)
    }
    if gapEndsAt > now { return .laneGap(hostname: hostname, gap: rule.gap, until: gapEndsAt) }
    return nil
  }
}

/// The sort key of a waiting job in a lane's queue. The job with the lowest key goes first.
///
/// The order is start-time fair queueing (Goyal, Vin, Cheng 1996). The cost of a job's runs,
/// divided by the job's priority, raises the job's `tag`. A job that has cost little for a long
/// time does not go first for many later runs. Among jobs with equal tags, the job whose last run
/// started earliest goes first.
struct Turn: Comparable, Sendable {
  var tag: Double
  /// The start of the job's last run, in milliseconds; the minimum value for a job that has never
  /// started.
  var lastStart: Int64

  static func < (left: Turn, right: Turn) -> Bool {
    left.tag < right.tag || left.tag == right.tag && left.lastStart < right.lastStart
  }
}

/// The state of a hostname's lane, for display.
package struct LaneState: Hashable, Sendable {
  package var hostname: String
  /// The maximum number of concurrent runs.
  package var connectionsMax: Int
  package var runningCount: Int
  /// The number of due jobs in the lane's queue.
  package var waitingCount: Int
  /// The minimum time between two requests.
  package var gap: Duration
  /// The time until which the hostname is closed, so that no run starts on its lane; nil if it is
  /// not closed.
  package var closedUntil: Timestamp?
  /// The reason why the hostname is closed, in words that follow "because"; nil if it is not
  /// closed.
  package var why: String?

  package init(
    hostname: String, connectionsMax: Int, runningCount: Int, waitingCount: Int, gap: Duration,
    closedUntil: Timestamp? = nil, why: String? = nil
  ) {
    self.hostname = hostname
    self.connectionsMax = connectionsMax
    self.runningCount = runningCount
    self.waitingCount = waitingCount
    self.gap = gap
    self.closedUntil = closedUntil
    self.why = why
  }
}
