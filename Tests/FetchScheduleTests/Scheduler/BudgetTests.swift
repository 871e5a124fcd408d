import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct BudgetTests {
  private let now = SchedulerRig.start

  private func limits(_ change: (inout BudgetLimits) -> Void) -> BudgetLimits {
    var limits = BudgetLimits()
    change(&limits)
    return limits
  }

  @Test func `no period of an hour has more requests than the rate`() {
    for rate: Int64 in [1, 2, 7, 60, 600] {
      var budget = Budget(
        limits { $0.requests = [Rate(amount: rate, period: .hour)] }, now: now)
      var time = now
      var taken: [Timestamp] = []
      let one = RunCost(requests: 1)
      while time < now + .seconds(5 * 3600) {
        if budget.obstacle(to: one, now: time) == nil {
          budget.reserve(one, now: time)
          budget.settle(one, actual: one, now: time)
          taken.append(time)
        } else {
          time = budget.obstacle(to: one, now: time)?.until ?? now + .seconds(1 << 30)
        }
      }
      for (index, start) in taken.enumerated() {
        let inHour = taken[index...].prefix { $0 - start < .seconds(3600) }.count
        #expect(inHour <= Int(rate))
      }
      // Almost all of the budget is used.
      #expect(taken.count >= Int(Double(rate) * 5 * 0.9) - 1)
    }
  }

  @Test func `with a burst, the budget is a plain token bucket`() {
    var budget = Budget(
      limits { $0.requests = [Rate(amount: 20, period: .hour)] }, requestBurst: 5, now: now)
    let one = RunCost(requests: 1)
    for _ in 0..<5 {
      #expect(budget.obstacle(to: one, now: now) == nil)
      budget.reserve(one, now: now)
    }
    #expect(
      budget.obstacle(to: one, now: now)
        == .spent(.requests, Rate(amount: 20, period: .hour), until: now + .seconds(180)))
    #expect(budget.obstacle(to: one, now: now + .seconds(180)) == nil)
    #expect(budget.requestFill(now: now + .seconds(360)) == 0.4)
  }

  @Test func `a reservation is replaced by the actual cost, or released`() {
    var budget = Budget(limits { $0.bytes = [Rate(amount: 1000, period: .day)] }, now: now)
    let believed = RunCost(bytes: 50)
    budget.reserve(believed, now: now)
    #expect(budget.report(now: now).map(\.available) == [0])
    budget.settle(believed, actual: RunCost(bytes: 20), now: now)
    #expect(budget.report(now: now).map(\.available) == [30])
    budget.reserve(RunCost(bytes: 30), now: now)
    budget.release(RunCost(bytes: 30), now: now)
    #expect(budget.report(now: now).map(\.available) == [30])
    #expect(budget.spent.bytes == 20)
    // A debt is paid before any other spending.
    budget.reserve(RunCost(bytes: 30), now: now)
    budget.settle(RunCost(bytes: 30), actual: RunCost(bytes: 530), now: now)
    #expect(
      budget.report(now: now).map(\.text) == [
        "bytes: 500 bytes owed (at most 50 bytes), 1.0 kB a day"
      ])
    #expect(budget.runningCount == 0)
    let until = budget.obstacle(to: RunCost(bytes: 10), now: now)?.until
    #expect(until.map { $0 > now + .seconds(43_200) && $0 < now + .seconds(50_000) } == true)
  }

  @Test func `the budget persists over a restart, with its debts`() throws {
    let rates = limits {
      $0.requests = [Rate(amount: 60, period: .hour), Rate(amount: 500, period: .day)]
      $0.cpu = [Rate(amount: 60_000, period: .hour)]
    }
    var budget = Budget(rates, now: now)
    let cost = RunCost(requests: 40, bytes: 5, cpuMilliseconds: 100)
    budget.reserve(cost, now: now)
    budget.settle(cost, actual: cost, now: now)
    let later = now + .seconds(60)
    var restored = Budget(rates, now: later)
    try restored.restore(encoded: budget.encoded)
    #expect(restored.report(now: later) == budget.report(now: later))
    #expect(restored.spent == budget.spent)
    for length in budget.encoded.indices {
      let cut = Array(budget.encoded.prefix(length))
      var other = Budget(rates, now: later)
      #expect(throws: ValueError.self) { try other.restore(encoded: cut) }
    }
  }

  @Test func `an impossible time in a damaged store is limited`() throws {
    let rates = limits { $0.requests = [Rate(amount: 60, period: .hour)] }
    for time in [Int64.min, .max] {
      let damaged = Budget(rates, now: Timestamp(milliseconds: time))
      var restored = Budget(rates, now: now)
      try restored.restore(encoded: damaged.encoded)
      #expect(restored.obstacle(to: RunCost(requests: 1), now: now) == nil)
    }
  }

  @Test func `spending that a clock in the future recorded counts from now`() throws {
    let rates = limits { $0.requests = [Rate(amount: 60, period: .hour)] }
    let ahead = now + .seconds(365 * 86_400)
    var budget = Budget(rates, now: ahead)
    budget.charge(RunCost(requests: 4), now: ahead)
    var restored = Budget(rates, now: now)
    try restored.restore(encoded: budget.encoded)
    let opening = try #require(restored.opening(for: RunCost(requests: 1), now: now))
    #expect(opening <= now + .seconds(180))
  }

  @Test func `a changed budget includes the reservations of current runs once`() {
    var limits = BudgetLimits()
    limits.requests = [Rate(amount: 1000, period: .day)]
    var rig = SchedulerRig(limits)
    let jobs = (0..<10).map { rig.add("job\($0)", host: "host\($0).example") }
    #expect(rig.due().count == 10)
    let before = rig.scheduler.budget
    rig.scheduler.setBudget(before, now: rig.now)
    #expect(rig.scheduler.budget.runningCount == 10)
    #expect(rig.scheduler.budget.report(now: rig.now) == before.report(now: rig.now))
    for job in jobs { rig.scheduler.ended(job, RunSummary(.noData), now: rig.now) }
    #expect(rig.scheduler.budget.runningCount == 0)
    #expect(rig.scheduler.budget.report(now: rig.now).map(\.available) == [40])
  }

  @Test func `a new limit reserves the estimates of current runs`() {
    var before = BudgetLimits()
    before.bytes = [Rate(amount: 1_000_000_000, period: .day)]
    var rig = SchedulerRig(before)
    let jobs = (0..<10).map { rig.add("job\($0)", host: "host\($0).example") }
    #expect(rig.due().count == 10)
    var limits = before
    limits.requests = [Rate(amount: 1000, period: .day)]
    rig.scheduler.setBudget(Budget(limits, now: rig.now), now: rig.now)
    func available() -> [Double] {
      rig.scheduler.budget.report(now: rig.now).filter { $0.resource == .requests }
        .map(\.available)
    }
    #expect(available() == [40])
    for job in jobs { rig.scheduler.ended(job, RunSummary(.noData), now: rig.now) }
    #expect(available() == [40])
    #expect(rig.scheduler.budget.runningCount == 0)
  }

  @Test func `a spent budget is given as the reason for the wait`() {
    var rig = SchedulerRig(limits { $0.requests = [Rate(amount: 1, period: .hour)] })
    rig.add("a", host: "a.example")
    let second = rig.add("b", host: "b.example")
    #expect(rig.due() == ["a"])
    #expect(
      rig.whyText(second)
        == "the budget of 1 request an hour has too little left until 2026-11-20T11:00:00Z (in 1h)"
    )
    #expect(rig.scheduler.nextWake == rig.now + .seconds(3600))
  }

  @Test func `the number of simultaneous runs is limited`() {
    var rig = SchedulerRig(limits { $0.runsAtOnceMax = 2 })
    let jobs = (0..<3).map { rig.add("job\($0)", host: "host\($0).example") }
    #expect(rig.due().count == 2)
    #expect(rig.why(jobs[2]) == .budget(.runsAtOnce(2)))
    #expect(rig.scheduler.nextWake == nil)
    rig.scheduler.ended(jobs[0], RunSummary(.noData), now: rig.now)
    #expect(rig.due() == ["job2"])
  }

  @Test func `an expensive job gets fewer turns, and a high priority more`() {
    var rig = SchedulerRig(limits { $0.runsAtOnceMax = 1 })
    let names = ["plain", "greedy", "high"]
    for name in names {
      rig.add(name, .every(.seconds(1)), host: nil) {
        if name == "high" { $0.priority = .high }
      }
    }
    var runs: [JobName: Int] = [:]
    for _ in 0..<3000 {
      for name in rig.due() {
        runs[name, default: 0] += 1
        guard let job = rig.scheduler.number(of: name) else { continue }
        var cost = RunCost(requests: 1, runMilliseconds: 900)
        if name == "greedy" { cost.bytes = 9_000_000 }
        rig.advance(.milliseconds(1000))
        rig.scheduler.ended(job, RunSummary(.noData, cost: cost), now: rig.now)
      }
    }
    let plain = runs["plain", default: 0]
    let greedy = runs["greedy", default: 0]
    let high = runs["high", default: 0]
    #expect(greedy > 50 && greedy * 6 < plain && greedy * 12 > plain)
    #expect(high * 10 > plain * 14 && high * 10 < plain * 16)
  }
}
