import FetchModel
package import FetchSchedule
package import FetchValues

/// One row of `fetchrun budget`: a limit with its state, or an amount without a limit. Keys may be
/// added to the JSON, but never renamed or removed.
package struct LedgerLine: Hashable, Sendable {
  /// The resource: `runsAtOnce`, or the raw value of a `BudgetResource`.
  package var resource: String
  /// The limit in runs, requests, bytes or milliseconds; nil if there is no limit.
  package var limit: Int64?
  /// The period of the limit, `h` or `d`; nil for `runsAtOnce`, and if there is no limit.
  package var period: String?
  /// The maximum amount that can be spent in one burst; nil if there is no limit.
  package var burst: Int64?
  /// The amount that can be spent now; nil if there is no limit. The amount may be negative.
  package var available: Int64?
  /// The amount of `burst` that is spent or reserved by runs under way, and not refilled yet; nil
  /// if there is no limit. For `runsAtOnce`, it is the number of runs under way, even without a
  /// limit.
  package var used: Int64?
  /// The total amount spent, including the amount before the daemon started; nil for `runsAtOnce`.
  package var spent: Int64?
  /// The job that has its own budget; nil for the budget of all jobs.
  package var job: String?
}

extension LedgerLine {
  package static let runsAtOnce = "runsAtOnce"

  /// Returns the lines of the budget of all jobs, then the lines of each job that has its own
  /// budget.
  package static func all(_ scheduler: Scheduler, now: Timestamp) -> [LedgerLine] {
    all(scheduler.budget, now: now)
      + scheduler.numbersWithQuota.flatMap { number -> [LedgerLine] in
        guard let quota = scheduler.quota(of: number) else { return [] }
        return quota.report(now: now).map { report in
          var line = LedgerLine(report, spent: whole(quota.spent[report.resource]))
          line.job = scheduler.name(of: number).text
          return line
        }
      }
  }

  /// Returns the line for concurrent runs, then a line for each limit of each resource. A resource
  /// without a limit has one line.
  package static func all(_ budget: Budget, now: Timestamp) -> [LedgerLine] {
    let report = budget.report(now: now)
    return [runs(budget)]
      + BudgetResource.allCases.flatMap { resource in
        let lines = report.filter { $0.resource == resource }
        let spent = whole(budget.spent[resource])
        return lines.isEmpty
          ? [LedgerLine(resource: resource.rawValue, spent: spent)]
          : lines.map { LedgerLine($0, spent: spent) }
      }
  }

  private static func runs(_ budget: Budget) -> LedgerLine {
    let limit = budget.limits.runsAtOnceMax.map(Int64.init)
    let running = Int64(budget.runningCount)
    return LedgerLine(
      resource: runsAtOnce, limit: limit, burst: limit, available: limit.map { $0 - running },
      used: running)
  }

  private init(_ line: BudgetLine, spent: Int64) {
    resource = line.resource.rawValue
    limit = line.rate.amount
    period = line.rate.period.rawValue
    burst = Self.whole(line.burst)
    available = Self.whole(line.available)
    used = Self.whole(line.burst - line.available)
    self.spent = spent
  }

  /// Returns the amount rounded down, at most 1e15 and at least -1e15. Returns 0 if the amount is
  /// not finite.
  private static func whole(_ amount: Double) -> Int64 {
    amount.isFinite ? Int64(max(-1e15, min(amount.rounded(.down), 1e15))) : 0
  }
}

extension LedgerLine {
  package var value: Value {
    [
      "resource": .string(resource), "limit": .whole(limit), "period": .text(period),
      "burst": .whole(burst), "available": .whole(available), "used": .whole(used),
      "spent": .whole(spent), "job": .text(job),
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    guard let resource = value["resource"]?.stringValue else { return nil }
    self.resource = resource
    limit = value["limit"]?.integerValue
    period = value["period"]?.stringValue
    burst = value["burst"]?.integerValue
    available = value["available"]?.integerValue
    used = value["used"]?.integerValue
    spent = value["spent"]?.integerValue
    job = value["job"]?.stringValue
  }
}

extension Value {
  fileprivate static func whole(_ number: Int64?) -> Value { number.map(Value.integer) ?? .null }
}

/// The words for a row of the budget, in a table and on a page.
extension LedgerLine {
  /// The name of the resource, such as `requests`. For a job's own budget, the job's name comes
  /// first, as in `news: requests`.
  package var noun: String {
    if resource == Self.runsAtOnce { return "runs at once" }
    let noun = BudgetResource(rawValue: resource)?.noun ?? resource
    return job.map { "\($0): \(noun)" } ?? noun
  }

  /// The limit as text, such as `600/h` or `none`.
  package var limitText: String {
    guard let limit else { return "none" }
    return text(limit) + (period.map { "/\($0)" } ?? "")
  }

  /// Returns an amount of the resource with its unit.
  package func text(_ amount: Int64) -> String {
    guard let resource = BudgetResource(rawValue: resource) else { return "\(amount)" }
    return (amount < 0 ? "-" : "") + resource.text(Double(amount.magnitude))
  }

  /// The share of the burst that can still be spent, in percent, rounded down; nil without a limit.
  /// The share may be negative.
  package var percentLeft: Int? {
    guard let available, let burst, burst > 0 else { return nil }
    return Int((Double(available) / Double(burst) * 100).rounded(.down))
  }
}
