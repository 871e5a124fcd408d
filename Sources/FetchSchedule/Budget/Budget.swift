package import FetchModel
package import FetchValues

/// What all jobs together may spend, and what they have spent: reserve before a run, settle after.
///
/// A value without a clock: `now` comes with each call. Each rate is a `TokenBucket`, which says
/// exactly what is promised.
package struct Budget: Sendable {
  package let limits: BudgetLimits
  package private(set) var runningCount = 0
  /// Since the ledger was begun, by settled runs.
  package internal(set) var spent = RunCost()
  var meters: [Meter] = []

  struct Meter: Sendable {
    var resource: BudgetResource
    var bucket: TokenBucket

    /// Whether a ledger takes it for that one, with another amount.
    func continues(_ other: Meter) -> Bool {
      resource == other.resource && bucket.rate.period == other.bucket.rate.period
    }
  }

  /// `requestBurst`: how many requests may come at once after a quiet time, for the first rate of
  /// requests; nil leaves it to `TokenBucket`.
  package init(_ limits: BudgetLimits = BudgetLimits(), requestBurst: Int64? = nil, now: Timestamp)
  {
    self.limits = limits
    for resource in BudgetResource.allCases {
      for (index, rate) in limits[resource].enumerated() {
        let burst = resource == .requests && index == 0 ? requestBurst : nil
        meters.append(
          Meter(resource: resource, bucket: TokenBucket(rate, burst: burst, now: now)))
      }
    }
  }

  /// Why a run of that cost may not start now; nil when it may.
  package func obstacle(to cost: RunCost, now: Timestamp) -> BudgetObstacle? {
    if let most = limits.runsAtOnceMax, runningCount >= most { return .runsAtOnce(most) }
    var latest: BudgetObstacle?
    var latestAt = now
    for meter in meters {
      let opening = meter.bucket.opening(for: cost[meter.resource], now: now)
      guard opening > latestAt else { continue }
      latestAt = opening
      latest = .spent(meter.resource, meter.bucket.rate, until: opening)
    }
    return latest
  }

  /// To be called only where there is no obstacle, and settled or released exactly once.
  package mutating func reserve(_ cost: RunCost, now: Timestamp) {
    runningCount += 1
    take(cost, now: now)
  }

  /// Runs that the budget before this one has let start, by what it set aside for each. That is in the
  /// levels that were taken over from it; where it had no such limit it is taken now.
  mutating func resume(_ reserved: [RunCost], after before: Budget, now: Timestamp) {
    runningCount = reserved.count
    for index in meters.indices where !before.meters.contains(where: meters[index].continues) {
      for cost in reserved {
        meters[index].bucket.take(cost[meters[index].resource], now: now)
      }
    }
  }

  /// Replaces what was reserved by what the run has really cost.
  package mutating func settle(_ reserved: RunCost, actual: RunCost, now: Timestamp) {
    runningCount = max(0, runningCount - 1)
    for index in meters.indices {
      let resource = meters[index].resource
      meters[index].bucket.take(max(0, actual[resource]) - reserved[resource], now: now)
    }
    spend(actual)
  }

  private mutating func spend(_ cost: RunCost) {
    spent.requests += max(0, cost.requests)
    spent.bytes += max(0, cost.bytes)
    spent.cpuMilliseconds += max(0, cost.cpuMilliseconds)
    spent.runMilliseconds += max(0, cost.runMilliseconds)
  }

  /// Takes what came without a run: a transfer pays as it goes.
  package mutating func charge(_ cost: RunCost, now: Timestamp) {
    take(cost, now: now)
    spend(cost)
  }

  /// When that much may be spent without a run; nil: now. Runs at once do not count.
  package func opening(for cost: RunCost, now: Timestamp) -> Timestamp? {
    let latest = meters.map { $0.bucket.opening(for: cost[$0.resource], now: now) }.max() ?? now
    return latest > now ? latest : nil
  }

  /// Gives back what was reserved for a run that did not take place.
  package mutating func release(_ reserved: RunCost, now: Timestamp) {
    settle(reserved, actual: RunCost(), now: now)
  }

  /// The clock was set back.
  mutating func setBack(to now: Timestamp) {
    for index in meters.indices { meters[index].bucket.setBack(to: now) }
  }

  private mutating func take(_ cost: RunCost, now: Timestamp) {
    for index in meters.indices {
      meters[index].bucket.take(cost[meters[index].resource], now: now)
    }
  }

  /// One line for each limit, as `fetchrun budget` shows them.
  package func report(now: Timestamp) -> [BudgetLine] {
    meters.map { meter in
      BudgetLine(
        resource: meter.resource, rate: meter.bucket.rate, burst: meter.bucket.burst,
        available: meter.bucket.level(at: now))
    }
  }

  /// The fill of the first bucket of requests, 0...1, below 0 in debt: what the price of a request
  /// is steered by. Nil without such a limit.
  package func requestFill(now: Timestamp) -> Double? {
    guard let meter = meters.first(where: { $0.resource == .requests }) else { return nil }
    return meter.bucket.level(at: now) / meter.bucket.burst
  }
}

extension BudgetLimits {
  package subscript(_ resource: BudgetResource) -> [Rate] {
    switch resource {
    case .requests: requests
    case .bytes: bytes
    case .cpu: cpu
    case .runTime: runTime
    }
  }
}
