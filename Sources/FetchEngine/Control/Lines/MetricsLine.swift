package import FetchModel
package import FetchStore
package import FetchValues

/// The metrics of a daemon. The counters are 0 when the daemon starts.
package struct MetricsLine: Hashable, Sendable {
  /// The state of all jobs together.
  package var overview: OverviewLine
  package var counters = MonitoringCounters()
  /// The CPU time of the daemon without its workers.
  package var cpuSeconds = 0.0
  package var residentBytes: Int64 = 0
  package var workers = 0
  package var lanesClosed = 0
  package var lanesWaiting = 0
  /// The part of each budget limit that can be spent now, one entry for each limit.
  package var budget: [BudgetShare] = []
  /// The numbers of deliveries for each hook. Hooks beyond `MonitoringCounters.hooksMax` are
  /// counted together.
  package var hooks: [HookLine] = []
  /// The number of transfers in each state.
  package var transfers: [String: Int] = [:]
  /// The number of subscriptions at hubs in each state.
  package var subscriptions: [String: Int] = [:]
  /// The number of times that a subscribed job had news without a push.
  package var pushMissed = 0
  /// The size of the store in bytes, without the write-ahead log. `logBytes` is the size of this
  /// log; 0 for a store on a server.
  package var storeBytes: Int64 = 0
  package var logBytes: Int64 = 0
  /// The number of jobs without series of their own.
  package var jobsLeftOut = 0

  package init(_ overview: OverviewLine) { self.overview = overview }

  /// The part of one budget limit's burst that can be spent now.
  package struct BudgetShare: Hashable, Sendable {
    /// The resource: the raw value of a `BudgetResource`.
    package var resource: String
    /// The period of the limit: `h` or `d`.
    package var period: String
    /// The part of the limit's burst that can be spent now: 1 for the whole burst, 0 for nothing.
    /// The part may be negative.
    package var ratio: Double

    package init(resource: String, period: String, ratio: Double) {
      self.resource = resource
      self.period = period
      self.ratio = ratio
    }
  }

  /// The number of a hook's waiting deliveries, the number of its deliveries that were given up,
  /// and the time of its oldest waiting delivery.
  package struct HookLine: Hashable, Sendable {
    package var hook: String
    package var pending: Int
    package var dead: Int
    package var oldestAt: Timestamp?

    package init(hook: String, pending: Int, dead: Int, oldestAt: Timestamp? = nil) {
      self.hook = hook
      self.pending = pending
      self.dead = dead
      self.oldestAt = oldestAt
    }
  }

  /// Adds the numbers of deliveries and transfers in the store.
  package mutating func add(_ sums: StoreSums) {
    for sum in sums.hooks {
      guard hooks.count >= MonitoringCounters.hooksMax else {
        hooks.append(
          HookLine(
            hook: sum.name.text, pending: sum.pending, dead: sum.dead, oldestAt: sum.oldestAt))
        continue
      }
      if hooks.last?.hook != MonitoringCounters.otherHooks {
        hooks.append(HookLine(hook: MonitoringCounters.otherHooks, pending: 0, dead: 0))
      }
      let last = hooks.count - 1
      hooks[last].pending += sum.pending
      hooks[last].dead += sum.dead
      hooks[last].oldestAt = [hooks[last].oldestAt, sum.oldestAt].compactMap(\.self).min()
    }
    for (state, count) in sums.transfers { transfers[state.rawValue] = count }
  }
}

extension MetricsLine {
  package var value: Value {
    .object(
      ValueObject(
        [
          ("overview", overview.value), ("cpuSeconds", .number(cpuSeconds)),
          ("residentBytes", .integer(residentBytes)), ("workers", .integer(Int64(workers))),
          ("lanesClosed", .integer(Int64(lanesClosed))),
          ("lanesWaiting", .integer(Int64(lanesWaiting))),
          ("budget", .array(budget.map(Self.value))), ("hooks", .array(hooks.map(Self.value))),
          ("transfers", .counts(transfers)),
          ("subscriptions", .counts(subscriptions)), ("pushMissed", .integer(Int64(pushMissed))),
          ("storeBytes", .integer(storeBytes)),
          ("logBytes", .integer(logBytes)), ("jobsLeftOut", .integer(Int64(jobsLeftOut))),
        ] + counters.members))
  }

  private static func value(_ share: BudgetShare) -> Value {
    [
      "resource": .string(share.resource), "period": .string(share.period),
      "ratio": .number(share.ratio),
    ]
  }

  private static func value(_ hook: HookLine) -> Value {
    [
      "hook": .string(hook.hook), "pending": .integer(Int64(hook.pending)),
      "dead": .integer(Int64(hook.dead)),
      "oldestAt": hook.oldestAt.map { .number($0.unixSeconds) } ?? .null,
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let overview = value["overview"].flatMap(OverviewLine.init) else { return nil }
    self.init(overview)
    counters = MonitoringCounters(value)
    cpuSeconds = value["cpuSeconds"]?.finiteNumber ?? 0
    residentBytes = Int64(value["residentBytes"]?.boundedCount ?? 0)
    workers = value["workers"]?.boundedCount ?? 0
    lanesClosed = value["lanesClosed"]?.boundedCount ?? 0
    lanesWaiting = value["lanesWaiting"]?.boundedCount ?? 0
    budget = (value["budget"]?.arrayValue ?? []).compactMap(Self.share)
    hooks = (value["hooks"]?.arrayValue ?? []).compactMap(Self.hook)
    transfers = value["transfers"]?.boundedCounts ?? [:]
    subscriptions = value["subscriptions"]?.boundedCounts ?? [:]
    pushMissed = value["pushMissed"]?.boundedCount ?? 0
    storeBytes = Int64(value["storeBytes"]?.boundedCount ?? 0)
    logBytes = Int64(value["logBytes"]?.boundedCount ?? 0)
    jobsLeftOut = value["jobsLeftOut"]?.boundedCount ?? 0
  }

  private static func share(_ value: Value) -> BudgetShare? {
    guard let resource = value["resource"]?.stringValue, let period = value["period"]?.stringValue,
      let ratio = value["ratio"]?.finiteNumber
    else { return nil }
    return BudgetShare(resource: resource, period: period, ratio: ratio)
  }

  private static func hook(_ value: Value) -> HookLine? {
    guard let hook = value["hook"]?.stringValue else { return nil }
    return HookLine(
      hook: hook, pending: value["pending"]?.boundedCount ?? 0,
      dead: value["dead"]?.boundedCount ?? 0,
      oldestAt: value["oldestAt"]?.finiteNumber.map { Timestamp(unixSeconds: $0) })
  }
}

/// The metrics of one job.
package struct JobMetricsLine: Hashable, Sendable {
  package var job: String
  package var lastSuccessAt: Timestamp?
  package var lastNewDataAt: Timestamp?
  /// The number of failures in a row.
  package var failures = 0
  /// The numbers of ended runs since the daemon started, by outcome.
  package var runs: [String: Int] = [:]

  package init(job: String) { self.job = job }

  package var value: Value {
    [
      "job": .string(job),
      "lastSuccessAt": lastSuccessAt.map { .number($0.unixSeconds) } ?? .null,
      "lastNewDataAt": lastNewDataAt.map { .number($0.unixSeconds) } ?? .null,
      "failures": .integer(Int64(failures)), "runs": .counts(runs),
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let job = value["job"]?.stringValue else { return nil }
    self.job = job
    lastSuccessAt = value["lastSuccessAt"]?.finiteNumber.map { Timestamp(unixSeconds: $0) }
    lastNewDataAt = value["lastNewDataAt"]?.finiteNumber.map { Timestamp(unixSeconds: $0) }
    failures = value["failures"]?.boundedCount ?? 0
    runs = value["runs"]?.boundedCounts ?? [:]
  }
}

extension MonitoringCounters {
  /// The counters as members of the JSON of `MetricsLine`. Times are seconds since 1970.
  var members: [(String, Value)] {
    [
      ("runs", .counts(runs)), ("failures", .counts(failures)), ("noData", .counts(noData)),
      ("items", .counts(items)), ("skips", .counts(skips)),
      ("deliveryAttempts", .counts(deliveryAttempts)),
      (
        "lastRuns",
        .object(
          ValueObject(
            lastRuns.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value.unixSeconds)) }))
      ),
      ("runCPUSeconds", .number(runCPUSeconds)), ("requests", .integer(requests)),
      ("receivedBytes", .integer(receivedBytes)),
      ("transferReceivedBytes", .integer(transferBytes)), ("runSeconds", runSeconds.value),
      ("startDelaySeconds", startDelaySeconds.value),
      ("itemDelaySeconds", itemDelaySeconds.value), ("commitSeconds", commitSeconds.value),
    ]
  }

  init(_ value: Value) {
    self.init()
    runs = value["runs"]?.nestedCounts ?? [:]
    failures = value["failures"]?.boundedCounts ?? [:]
    noData = value["noData"]?.boundedCounts ?? [:]
    items = value["items"]?.boundedCounts ?? [:]
    skips = value["skips"]?.boundedCounts ?? [:]
    deliveryAttempts = value["deliveryAttempts"]?.nestedCounts ?? [:]
    for member in value["lastRuns"]?.objectValue?.members ?? [] {
      lastRuns[member.key] = member.value.finiteNumber.map { Timestamp(unixSeconds: $0) }
    }
    runCPUSeconds = value["runCPUSeconds"]?.finiteNumber ?? 0
    requests = Int64(value["requests"]?.boundedCount ?? 0)
    receivedBytes = Int64(value["receivedBytes"]?.boundedCount ?? 0)
    transferBytes = Int64(value["transferReceivedBytes"]?.boundedCount ?? 0)
    runSeconds = Histogram(value["runSeconds"]) ?? runSeconds
    startDelaySeconds = Histogram(value["startDelaySeconds"]) ?? startDelaySeconds
    itemDelaySeconds = Histogram(value["itemDelaySeconds"]) ?? itemDelaySeconds
    commitSeconds = Histogram(value["commitSeconds"]) ?? commitSeconds
  }
}
