package import FetchSchedule
import FetchValues

/// A simulation that requests all sources of a trace on a virtual clock. It respects the trace's
/// host gap and, by default, the trace's budget. It uses nothing that happens later in the trace,
/// unless `oracle` is set.
package struct TraceSimulation {
  private let trace: Trace
  private let policy: TracePolicy
  private let clock = WeekClock()
  /// The token bucket of the budget; nil without a budget.
  private var bucket: TraceBucket?
  private var queue = DueQueue()
  private var answers: [TraceAnswers]
  private var states: [AdaptiveState]
  private var schedules: [AdaptiveSchedule]
  private var reasons: [AdaptiveReason?]
  /// The earliest time of an early request to each source. A request before the due time uses a
  /// token that would otherwise be lost.
  private var heldUntil: [Double]
  private var shared: AdaptiveShared
  private var hosts: [Int]
  private var hostFreeAt: [Double]
  private var groups: [Int]
  private var groupIndex: [String: Int] = [:]
  private var usages: [UsageProfile]
  private var nextRead = 0
  private var now = 0.0
  package var oracle: ((Int, Double) -> any ItemForecast)?

  /// - Parameters:
  ///   - usesReads: whether the simulation learns from the times at which people read.
  ///   - bounds: the limits of the adaptive intervals in a simulation without a budget; nil to
  ///     apply the trace's budget.
  package init(
    _ trace: Trace, policy: TracePolicy, usesReads: Bool,
    withoutBudget bounds: AdaptiveBounds? = nil
  ) {
    self.trace = trace
    self.policy = policy
    if bounds == nil {
      bucket = TraceBucket(capacity: trace.burst, perHour: trace.requestsPerHour)
    }
    answers = trace.sources.map(TraceAnswers.init)
    states = trace.sources.map { source in
      AdaptiveState(datesItems: source.datesItems)
    }
    reasons = Array(repeating: nil, count: trace.sources.count)
    heldUntil = Array(repeating: 0, count: trace.sources.count)
    shared = AdaptiveShared(requestsPerHour: bounds == nil ? trace.requestsPerHour : nil)
    if bounds != nil { shared.priceMin = LearnedSchedules.priceMin }
    var hostIndex: [String: Int] = [:]
    hosts = []
    groups = []
    schedules = []
    for source in trace.sources {
      hosts.append(hostIndex[source.host, default: hostIndex.count])
      hostIndex[source.host] = hosts.last
      groups.append(groupIndex[source.group, default: groupIndex.count])
      groupIndex[source.group] = groups.last
      schedules.append(
        AdaptiveSchedule(
          job: JobName(source.id), bounds: bounds ?? .withBudget, hints: source.hints, clock: clock)
      )
    }
    hostFreeAt = Array(repeating: 0, count: hostIndex.count)
    usages = Array(repeating: UsageProfile(), count: groupIndex.count)
    if !usesReads { nextRead = trace.reads.count }
  }

  /// The interval in seconds at which the requests to all sources use exactly the budget, but at
  /// least 1. Without a budget, the interval is an hour.
  private var fixedInterval: Double {
    bucket == nil ? 3600 : max(Double(trace.sources.count) / trace.requestsPerHour * 3600, 1)
  }

  /// Runs the simulation and passes each request to `body`, in the order of time.
  package mutating func run(_ body: (SimulatedFetch) -> Void) {
    for source in trace.sources.indices {
      let share = Double(source) / Double(trace.sources.count)
      queue.push(source, dueAt: policy == .fixed ? share * fixedInterval : 0)
    }
    while let time = nextTime(), time < trace.duration, let entry = queue.pop() {
      now = time
      let free = hostFreeAt[hosts[entry.source]]
      if free > now {
        queue.push(entry.source, dueAt: max(free, entry.dueAt))
        continue
      }
      readUntilNow()
      body(SimulatedFetch(time: now, source: entry.source, reason: reasons[entry.source]))
      fetch(entry.source)
    }
  }

  /// Returns the earliest time of the first request in the queue, without the host gap; nil if the
  /// queue is empty.
  private func nextTime() -> Double? {
    guard let first = queue.first else { return nil }
    guard let bucket else { return max(now, first.dueAt) }
    let ready = bucket.ready(at: now)
    if first.dueAt <= ready { return ready }
    // The next request may be made early, so that no token is lost.
    let full = max(bucket.full(at: now), heldUntil[first.source])
    return max(now, min(first.dueAt, full))
  }

  private mutating func readUntilNow() {
    while nextRead < trace.reads.count, trace.reads[nextRead].time <= now {
      let read = trace.reads[nextRead]
      nextRead += 1
      guard let group = groupIndex[read.group] else { continue }
      usages[group].learn(readAt: read.time, since: 0, clock: clock)
    }
  }

  private mutating func fetch(_ source: Int) {
    bucket?.take(at: now)
    hostFreeAt[hosts[source]] = now + trace.hostGap
    let observation = answers[source].answer(at: now)
    guard policy == .adaptive else {
      return queue.push(source, dueAt: now + fixedInterval)
    }
    states[source].learn(from: observation, at: now, shared: &shared, clock: clock)
    shared.settle(level: bucket?.level(at: now) ?? 0.5, now: now, clock: clock)
    var schedule = schedules[source]
    let usage = usages[groups[source]]
    schedule.usage = usage.watchedUntil == nil ? nil : usage
    let decision: AdaptiveDecision
    if let oracle {
      decision = schedule.next(&states[source], oracle(source, now), shared: &shared, now: now)
    } else {
      decision = schedule.next(&states[source], shared: &shared, now: now)
    }
    reasons[source] = decision.reason
    switch decision.reason.rule {
    case .plan, .window, .intervalMax:
      heldUntil[source] = schedule.earliest(states[source].publication, now: now)
    case .intervalMin, .hint, .backoff, .retryAfter: heldUntil[source] = decision.dueAt
    }
    queue.push(source, dueAt: decision.dueAt)
  }
}

/// The rule for the intervals between requests in a simulation.
package enum TracePolicy: String, CaseIterable, Sendable {
  /// Every source has the same interval. The budget determines the interval; without a budget, it
  /// is an hour.
  case fixed
  case adaptive
}

/// The results of a simulation of a trace.
package struct TraceSummary: Equatable, Sendable {
  private let trace: Trace
  private var fetchCount = 0
  private var rules: [String: Int] = [:]
  private var meter: DelayMeter

  package init(_ trace: Trace) {
    self.trace = trace
    meter = DelayMeter(trace)
  }

  package mutating func count(_ fetch: SimulatedFetch) {
    fetchCount += 1
    rules[fetch.reason?.rule.rawValue ?? "interval", default: 0] += 1
    meter.count(fetch)
  }

  package var text: String {
    let given = trace.requestsPerHour * trace.duration / 3600
    let share = given > 0 ? Double(fetchCount) / given * 100 : 0
    let why = rules.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return """
      \(trace.sources.count) sources, \(fetchCount) fetches (\(share.tenths) % of the budget), \
      mean item delay \((meter.meanSeconds / 60).tenths) min
      why: \(why)
      """
  }
}

extension Double {
  fileprivate var tenths: String {
    guard abs(self) < 1e15 else { return "\(self)" }
    let tenths = Int((self * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
