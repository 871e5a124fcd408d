package import FetchModel
package import FetchValues

/// The budget of all jobs and the amounts spent: reserve before a run, settle after it.
///
/// It is a value without a clock: each call gets `now`. Each rate is a `TokenBucket`, which states
/// the exact guarantee.
package struct Budget: Sendable {
  package let limits: BudgetLimits
  package private(set) var runningCount = 0
  /// The costs of all settled runs since the ledger began.
  package internal(set) var spent = RunCost()
  var meters: [Meter] = []

  struct Meter: Sendable {
    var resource: BudgetResource
    var bucket: TokenBucket

    /// Whether the meters measure the same; their amounts may differ.
    func continues(_ other: Meter) -> Bool {
      resource == other.resource && bucket.rate.period == other.bucket.rate.period
    }
  }

  /// Creates a full budget. `requestBurst` is the number of requests that may come together after a
  /// quiet time, for the first rate of requests; nil leaves it to `TokenBucket`.
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

  /// Returns why a run of that cost may not start now; nil if it may.
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

  /// Reserves the cost of a run. Call it only if there is no obstacle, and settle or release it
  /// exactly once.
  package mutating func reserve(_ cost: RunCost, now: Timestamp) {
    runningCount += 1
    take(cost, now: now)
  }

  /// Takes over runs that the previous budget started, with the costs that it reserved for them.
  /// The copied levels contain these; a limit that is new reserves them now.
  mutating func resume(_ reserved: [RunCost], after before: Budget, now: Timestamp) {
    runningCount = reserved.count
    for index in meters.indices where !before.meters.contains(where: meters[index].continues) {
      for cost in reserved {
        meters[index].bucket.take(cost[meters[index].resource], now: now)
      }
    }
  }

  /// Replaces the reservation with the run's actual cost.
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

  /// Charges a cost without a run: a transfer pays as it goes.
  package mutating func charge(_ cost: RunCost, now: Timestamp) {
    take(cost, now: now)
    spend(cost)
  }

  /// Returns when that cost can be charged without a run; nil means now. Concurrent runs do not
  /// count.
  package func opening(for cost: RunCost, now: Timestamp) -> Timestamp? {
    let latest = meters.map { $0.bucket.opening(for: cost[$0.resource], now: now) }.max() ?? now
    return latest > now ? latest : nil
  }

  /// Releases the reservation of a run that did not take place.
  package mutating func release(_ reserved: RunCost, now: Timestamp) {
    settle(reserved, actual: RunCost(), now: now)
  }

  /// Moves the buckets to a clock that was set back.
  mutating func setBack(to now: Timestamp) {
    for index in meters.indices { meters[index].bucket.setBack(to: now) }
  }

  private mutating func take(_ cost: RunCost, now: Timestamp) {
    for index in meters.indices {
      meters[index].bucket.take(cost[meters[index].resource], now: now)
    }
  }

  /// Returns one line for each limit, as `fetchrun budget` shows them.
  package func report(now: Timestamp) -> [BudgetLine] {
    meters.map { meter in
      BudgetLine(
        resource: meter.resource, rate: meter.bucket.rate, burst: meter.bucket.burst,
        available: meter.bucket.level(at: now))
    }
  }

  /// Returns the level of the first bucket of requests, 0...1, negative in debt; nil without such a
  /// limit. It steers the price of a request.
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

/// The reason why the budget makes a run wait.
package enum BudgetObstacle: Hashable, Sendable {
  /// The limit of concurrent runs is reached.
  case runsAtOnce(Int)
  /// The rate is used up; enough is available at `until`.
  case spent(BudgetResource, Rate, until: Timestamp)

  /// The time to ask again if nothing else happens; nil if a run must end first.
  package var until: Timestamp? {
    if case .spent(_, _, let until) = self { until } else { nil }
  }
}

/// The state of one limit of the budget.
package struct BudgetLine: Hashable, Sendable {
  package var resource: BudgetResource
  package var rate: Rate
  /// The most that can be spent in one moment.
  package var burst: Double
  /// The amount that can be spent now; negative if runs have cost more than estimated.
  package var available: Double

  /// `requests: 12 available (at most 30), 600 an hour`.
  package var text: String {
    let hand =
      available < 0 ? "\(resource.text(-available)) owed" : "\(resource.text(available)) available"
    return "\(resource.noun): \(hand) (at most \(resource.text(burst))), "
      + "\(resource.text(Double(rate.amount))) \(rate.period.phrase)"
  }
}

extension Rate.Period {
  /// `an hour`, `a day`.
  package var phrase: String { self == .hour ? "an hour" : "a day" }
}

/// A resource that the budget meters over time.
package enum BudgetResource: String, Sendable, CaseIterable {
  case requests
  case bytes
  case cpu
  case runTime

  /// The resource's name in sentences.
  package var noun: String {
    switch self {
    case .requests: "requests"
    case .bytes: "bytes"
    case .cpu: "CPU time"
    case .runTime: "run time"
    }
  }

  /// Returns an amount as people write it: `600`, `500 MB`, `10m`.
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
  /// Writes a list: the resource, period, level and time of each bucket, and the total spent.
  /// Running runs are not included: after a restart they are settled as abandoned.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: 4 + meters.count * 4)
    for resource in BudgetResource.allCases { writer.write(spent[resource]) }
    for meter in meters {
      writer.write(meter.resource.rawValue)
      writer.write(meter.bucket.rate.period.rawValue)
      writer.write(meter.bucket.level)
      writer.write(meter.bucket.seenAt.milliseconds)
    }
  }

  /// Restores what an earlier ledger left. Rates that no longer exist are ignored; new ones begin
  /// full.
  package mutating func restore(from reader: inout ValueReader) throws(ValueError) {
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
      let seenAt = Timestamp(milliseconds: try reader.readInteger())
      let index = restored.meters.firstIndex {
        $0.resource.rawValue == resource && $0.bucket.rate.period.rawValue == period
      }
      if let index { restored.meters[index].bucket.resume(level: level, at: seenAt) }
    }
    self = restored
  }
}
