import FetchModel
package import FetchSchedule
package import FetchValues

/// One row of `fetchrun budget`: a limit with its state or, without a limit, the amount spent. Its
/// JSON keeps its keys as `StatusLine` does.
package struct LedgerLine: Hashable, Sendable {
  /// `runsAtOnce`, or a word of `BudgetResource`.
  package var resource: String
  /// The limit in runs, requests, bytes or milliseconds; nil without a limit.
  package var limit: Int64?
  /// `h` or `d`; nil for runs at once, and without a limit.
  package var period: String?
  /// The maximum that can be spent in one go.
  package var burst: Int64?
  /// The amount that can be spent now; negative if runs have cost more than expected.
  package var available: Int64?
  /// The part of `burst` that is spent and not refilled; for `runsAtOnce`, the runs under way.
  package var used: Int64?
  /// The amount spent by all runs since the ledger was created; nil for runs at once.
  package var spent: Int64?
  /// The job whose own budget it is; nil for that of all jobs.
  package var job: String?
}

extension LedgerLine {
  package static let runsAtOnce = "runsAtOnce"

  /// Returns the lines of the budget of all jobs, then those of jobs with their own, by number.
  package static func all(_ scheduler: Scheduler, now: Timestamp) -> [LedgerLine] {
    all(scheduler.budget, now: now)
      + scheduler.numbers.flatMap { number -> [LedgerLine] in
        guard let quota = scheduler.quota(of: number) else { return [] }
        return quota.report(now: now).map { report in
          var line = LedgerLine(report, spent: whole(quota.spent[report.resource]))
          line.job = scheduler[number].name
          return line
        }
      }
  }

  /// Returns the line of runs at once, then each resource with its limits.
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

  /// Returns the amount rounded down: fractions cannot be spent.
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

  /// Returns nil if `value` is not such a line.
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
