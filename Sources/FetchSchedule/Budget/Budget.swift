package import FetchModel
package import FetchValues

/// The budget of all jobs, or of one job, with the amounts spent. The caller reserves a cost before
/// a run and replaces it by the actual cost afterwards.
///
/// The budget has no clock, so the functions that need the time receive `now`. Each rate is a
/// `TokenBucket`, whose documentation states the exact guarantee.
package struct Budget: Sendable {
  package let limits: BudgetLimits
  package private(set) var runningCount = 0
  /// The total cost of all settled runs and all calls of `charge`. `restore` replaces it by the
  /// stored total.
  package internal(set) var spent = RunCost()
  var meters: [Meter] = []

  struct Meter: Sendable {
    var resource: BudgetResource
    var bucket: TokenBucket

    /// Whether both meters limit the same resource for the same period, such as an hour. Their
    /// amounts may differ.
    func continues(_ other: Meter) -> Bool {
      resource == other.resource && bucket.rate.period == other.bucket.rate.period
    }
  }

  /// Creates a budget with full buckets. `requestBurst` is the size of the first bucket of
  /// requests; nil for the default of `TokenBucket`.
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

  /// Returns why a run of the given cost may not start now; nil if it may start.
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

  /// Reserves the cost of a run. The caller must settle or release the reservation exactly once.
  package mutating func reserve(_ cost: RunCost, now: Timestamp) {
    runningCount += 1
    take(cost, now: now)
  }

  /// Takes over the current runs of the previous budget, `before`. Reserves the costs of these runs
  /// only for new limits. The levels of the other limits must have been copied from `before`, so
  /// they already include these costs.
  mutating func resume(_ reserved: [RunCost], after before: Budget, now: Timestamp) {
    runningCount = reserved.count
    for index in meters.indices where !before.meters.contains(where: meters[index].continues) {
      for cost in reserved {
        meters[index].bucket.take(cost[meters[index].resource], now: now)
      }
    }
  }

  /// Replaces a run's reservation by the run's actual cost.
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

  /// Subtracts from the budget a cost that no run causes, such as the cost of a received part of a
  /// transfer.
  package mutating func charge(_ cost: RunCost, now: Timestamp) {
    take(cost, now: now)
    spend(cost)
  }

  /// Returns the time at which the budget has room for a cost that no run causes; nil if it has
  /// room now. The limit of concurrent runs does not apply.
  package func opening(for cost: RunCost, now: Timestamp) -> Timestamp? {
    let latest = meters.map { $0.bucket.opening(for: cost[$0.resource], now: now) }.max() ?? now
    return latest > now ? latest : nil
  }

  /// Releases the reservation of a run that did not take place.
  package mutating func release(_ reserved: RunCost, now: Timestamp) {
    settle(reserved, actual: RunCost(), now: now)
  }

  mutating func setBack(to now: Timestamp) {
    for index in meters.indices { meters[index].bucket.setBack(to: now) }
  }

  private mutating func take(_ cost: RunCost, now: Timestamp) {
    for index in meters.indices {
      meters[index].bucket.take(cost[meters[index].resource], now: now)
    }
  }

  /// Returns one line for each limit over time, as in the output of `fetchrun budget`.
  package func report(now: Timestamp) -> [BudgetLine] {
    meters.map { meter in
      BudgetLine(
        resource: meter.resource, rate: meter.bucket.rate, burst: meter.bucket.burst,
        available: meter.bucket.level(at: now))
    }
  }

  /// Returns the level of the first bucket of requests, divided by the bucket's size. The result is
  /// at most 1, and negative if the bucket is in debt. It is nil if requests have no limit.
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

/// The reason why a run must wait because of the budget.
package enum BudgetObstacle: Hashable, Sendable {
  /// The limit of concurrent runs is reached. The value is this limit.
  case runsAtOnce(Int)
  /// The budget has too little of the resource left under the rate. It has enough at `until`, if
  /// nothing more is spent until then.
  case spent(BudgetResource, Rate, until: Timestamp)

  /// The earliest time at which the budget may allow the run; nil if another run must end first.
  package var until: Timestamp? {
    if case .spent(_, _, let until) = self { until } else { nil }
  }
}

/// The state of one limit of the budget.
package struct BudgetLine: Hashable, Sendable {
  package var resource: BudgetResource
  package var rate: Rate
  /// The largest amount that the bucket can hold.
  package var burst: Double
  /// The amount that the bucket holds now. It is negative if the bucket is in debt, for example
  /// because runs cost more than was estimated.
  package var available: Double

  /// The line for people, such as `requests: 12 available (at most 30), 600 an hour`.
  package var text: String {
    let hand =
      available < 0 ? "\(resource.text(-available)) owed" : "\(resource.text(available)) available"
    return "\(resource.noun): \(hand) (at most \(resource.text(burst))), "
      + "\(resource.text(Double(rate.amount))) \(rate.period.phrase)"
  }
}

extension Rate.Period {
  /// The period in words: `an hour` or `a day`.
  package var phrase: String { self == .hour ? "an hour" : "a day" }
}

/// A resource that the budget meters over time.
package enum BudgetResource: String, Sendable, CaseIterable {
  case requests
  case bytes
  case cpu
  case runTime

  /// The resource's name for use in sentences.
  package var noun: String {
    switch self {
    case .requests: "requests"
    case .bytes: "bytes"
    case .cpu: "CPU time"
    case .runTime: "run time"
    }
  }

  /// Returns an amount of the resource as people write it: `600`, `500 MB`, `10m`.
  package func text(_ amount: Double) -> String {
    let whole = Int64(max(-1e15, min(amount.rounded(), 1e15)))
    switch self {
    case .requests: return "\(whole)"
    case .bytes: return ByteSize(bytes: whole).description
    case .cpu, .runTime: return Duration.milliseconds(whole).shortText
    }
  }
}

extension Budget {
  /// The encoded state: the total spent, then the resource, period, level and time of each bucket.
  /// The reserved costs of current runs have been subtracted from the levels, but are not in the
  /// total spent.
  package var encoded: [UInt8] {
    var writer = ValueWriter(reserving: 64)
    writer.beginArray(count: 4 + meters.count * 4)
    for resource in BudgetResource.allCases { writer.write(spent[resource]) }
    for meter in meters {
      writer.write(meter.resource.rawValue)
      writer.write(meter.bucket.rate.period.rawValue)
      writer.write(meter.bucket.level)
      writer.write(meter.bucket.seenAt.milliseconds)
    }
    return writer.bytes
  }

  /// Restores the state from the bytes of `encoded`. A stored level applies to the rate of the same
  /// resource and period. Other stored levels are ignored. Rates without a stored level keep their
  /// present level.
  package mutating func restore(encoded bytes: [UInt8]) throws(ValueError) {
    self = try ValueReader.read(bytes, restored)
  }

  private func restored(from reader: inout ValueReader) throws(ValueError) -> Budget {
    let count = try reader.readArrayHead()
    guard count >= 4, count % 4 == 0 else { throw .truncated }
    var restored = self
    restored.spent = RunCost(
      requests: try reader.readNumber(), bytes: try reader.readNumber(),
      cpuMilliseconds: try reader.readNumber(), runMilliseconds: try reader.readNumber())
    for _ in 1..<count / 4 {
      let resource = try reader.readString()
      let period = try reader.readString()
      let level = try reader.readNumber()
      let seenAt = Timestamp(boundedMilliseconds: try reader.readInteger())
      let index = restored.meters.firstIndex {
        $0.resource.rawValue == resource && $0.bucket.rate.period.rawValue == period
      }
      if let index { restored.meters[index].bucket.resume(level: level, at: seenAt) }
    }
    return restored
  }
}
