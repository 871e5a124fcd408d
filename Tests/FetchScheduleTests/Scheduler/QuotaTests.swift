import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the budget of a single job.
@Suite struct QuotaTests {
  private func rig(_ change: (inout BudgetLimits) -> Void = { _ in }) -> SchedulerRig {
    var limits = BudgetLimits()
    change(&limits)
    return SchedulerRig(limits, gap: .zero)
  }

  private static func requests(_ amount: Int64, _ period: Rate.Period = .hour) -> BudgetLimits {
    var limits = BudgetLimits()
    limits.requests = [Rate(amount: amount, period: period)]
    return limits
  }

  @Test
  func `a job whose own budget is spent waits with that reason, and runs when the budget allows`() {
    var rig = rig()
    let job = rig.add("a", .every(.seconds(60))) { $0.budget = Self.requests(2) }
    #expect(rig.run(job).dueAt == rig.now + .seconds(60))
    rig.advance(.seconds(60))
    #expect(rig.due() == [])
    // The bucket has room for one request, and gains two in an hour.
    let until = SchedulerRig.start + .seconds(1800)
    #expect(
      rig.why(job)
        == .ownBudget(.spent(.requests, Rate(amount: 2, period: .hour), until: until)))
    #expect(
      rig.whyText(job)
        == "its own budget of 2 requests an hour has too little left until 2026-11-20T10:30:00Z (in 29m)"
    )
    #expect(
      rig.scheduler.explain(job, now: rig.now).last
        == "Its own budget of requests: 0 available (at most 1), 2 an hour.")
    #expect(rig.scheduler.nextWake == until)
    #expect(rig.wake() == ["a"])
    #expect(rig.now == until)
    #expect(rig.why(job) == .running(since: until))
  }

  @Test
  func
    `a job that waits for its own budget delays no other job of its lane, whatever its priority`()
  {
    var rig = rig()
    let greedy = rig.add("greedy", .every(.seconds(1))) {
      $0.budget = Self.requests(6)
      $0.priority = .high
    }
    rig.add("plain", .every(.seconds(1)))
    var starts: [JobName: [Timestamp]] = [:]
    for _ in 0..<7200 {
      for name in rig.due() {
        starts[name, default: []].append(rig.now)
        guard let job = rig.scheduler.number(of: name) else { continue }
        rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
      }
      rig.advance(.seconds(1))
    }
    #expect((11...13).contains(starts["greedy", default: []].count))
    #expect(starts["plain", default: []].count > 7000)
    #expect(rig.scheduler.quota(of: greedy)?.spent.requests == Double(starts["greedy"]?.count ?? 0))
  }

  @Test func `a cost above the estimate delays the next run`() {
    var rig = rig()
    let job = rig.add("a", .every(.seconds(60))) {
      $0.budget.bytes = [Rate(amount: 1_000_000, period: .hour)]
    }
    rig.run(job) { $0.cost = RunCost(requests: 1, bytes: 2_000_000) }
    #expect(rig.scheduler.quota(of: job)?.report(now: rig.now).map(\.available) == [-1_950_000])
    rig.advance(.seconds(60))
    #expect(rig.due() == [])
    let until = rig.why(job).until ?? rig.now
    #expect(until > rig.now + .seconds(2 * 3600) && until < rig.now + .seconds(3 * 3600))
  }

  @Test func `over days, expensive runs stay within the rate, and each job keeps running`() {
    var rig = rig { $0.runsAtOnceMax = 2 }
    var jobs: [JobNumber] = []
    for index in 0..<20 {
      jobs.append(
        rig.add("job\(index)", .every(.seconds(60)), host: "host\(index % 3).example") {
          if index % 2 == 0 { $0.budget = Self.requests(100, .day) }
        })
    }
    var spent = [Double](repeating: 0, count: jobs.count)
    var longest = [Duration](repeating: .zero, count: jobs.count)
    var last = [Timestamp](repeating: rig.now, count: jobs.count)
    let end = rig.now + .seconds(3 * 86_400)
    while rig.now < end {
      for name in rig.due() {
        guard let job = rig.scheduler.number(of: name), let index = jobs.firstIndex(of: job) else {
          continue
        }
        longest[index] = max(longest[index], rig.now - last[index])
        last[index] = rig.now
        // Most of the costs exceed the bucket.
        let cost = RunCost(requests: Double(1 + index))
        spent[index] += cost.requests
        rig.scheduler.ended(job, RunSummary(.noData, cost: cost), now: rig.now)
      }
      rig.now = max(rig.scheduler.nextWake ?? end, rig.now + .seconds(1))
    }
    for index in jobs.indices where index % 2 == 0 {
      #expect(spent[index] <= 3 * 100 + 5 + Double(1 + index), "job\(index)")
      #expect(spent[index] >= 3 * 100 * 0.8, "job\(index)")
      // The shortest interval that the budget allows is the cost divided by the rate.
      #expect(longest[index] < .seconds(86_400 * (index + 20) / 100), "job\(index)")
    }
    for index in jobs.indices where index % 2 == 1 {
      #expect(longest[index] < .seconds(3600), "job\(index)")
    }
  }

  @Test func `a requested run also waits for the job's own budget`() {
    var rig = rig()
    let job = rig.add("a", .never) { $0.budget = Self.requests(1) }
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    rig.run(job)
    rig.advance(.seconds(10))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .due)
    #expect(rig.due() == [])
    let reason = rig.why(job)
    #expect(reason.until == SchedulerRig.start + .seconds(3600))
    #expect(rig.scheduler.trigger(job, .manual, now: rig.now) == .waits(reason))
    rig.now = SchedulerRig.start + .seconds(3600)
    #expect(rig.scheduler.due(now: rig.now).map(\.trigger) == [.manual])
  }

  @Test func `a job can be paused, changed and removed while it waits`() {
    var rig = rig()
    let job = rig.add("a", .every(.seconds(60))) { $0.budget = Self.requests(1) }
    rig.run(job)
    rig.advance(.seconds(60))
    #expect(rig.due() == [])
    rig.scheduler.pause(job, now: rig.now)
    #expect(rig.scheduler.nextWake == nil)
    rig.scheduler.resume(job, now: rig.now)
    #expect(rig.due() == [])
    #expect(rig.why(job).until == SchedulerRig.start + .seconds(3600))
    // A larger budget begins with the amount that is left in the smaller budget.
    var changed = rig.scheduler[job]
    changed.budget = Self.requests(40)
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.due() == [])
    let until = rig.why(job).until ?? rig.now
    #expect(until > rig.now && until < rig.now + .seconds(100))
    changed.budget = BudgetLimits()
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.quota(of: job) == nil)
    #expect(rig.due() == ["a"])
    rig.scheduler.ended(job, RunSummary(.noData), now: rig.now)
    #expect(rig.scheduler.schedule(of: job).quota.isEmpty)
    rig.scheduler.remove(job)
    #expect(rig.add("b", .never) { $0.budget = Self.requests(1) } == job)
    #expect(rig.scheduler.quota(of: job)?.spent == RunCost())
  }

  @Test func `a change of the budget during a run keeps the reservation`() {
    var rig = rig()
    let job = rig.add("a", .never) { $0.budget = Self.requests(100) }
    _ = rig.scheduler.trigger(job, .manual, now: rig.now)
    #expect(rig.due() == ["a"])
    var changed = rig.scheduler[job]
    changed.budget = Self.requests(200)
    rig.scheduler.update(changed, now: rig.now)
    #expect(rig.scheduler.quota(of: job)?.report(now: rig.now).map(\.available) == [9])
    rig.scheduler.ended(
      job, RunSummary(.noData, cost: RunCost(requests: 3)), now: rig.now)
    #expect(rig.scheduler.quota(of: job)?.report(now: rig.now).map(\.available) == [7])
  }

  @Test func `a job's own budget persists over a restart`() throws {
    var rig = rig()
    let job = rig.add("a", .every(.seconds(60))) { $0.budget = Self.requests(2) }
    rig.run(job)
    let restored = try JobSchedule(encoded: rig.scheduler.schedule(of: job).encoded)
    var again = self.rig()
    let other = again.add("a", .every(.seconds(60)), restored) { $0.budget = Self.requests(2) }
    again.advance(.seconds(60))
    #expect(again.due() == [])
    #expect(again.why(other).until == SchedulerRig.start + .seconds(1800))
    // An unreadable budget begins full.
    var broken = restored
    broken.quota = [1, 2, 3]
    var third = self.rig()
    third.add("a", .every(.seconds(60)), broken) { $0.budget = Self.requests(2) }
    third.advance(.seconds(60))
    #expect(third.due() == ["a"])
  }

  @Test func `the budget of all jobs applies as well`() {
    var rig = rig { $0.requests = [Rate(amount: 1, period: .hour)] }
    let first = rig.add("a", .every(.seconds(60)), host: "a.example") {
      $0.budget = Self.requests(100)
    }
    let second = rig.add("b", .every(.seconds(60)), host: "b.example")
    #expect(rig.due().count == 1)
    let waiting = rig.scheduler.isRunning(first) ? second : first
    guard case .budget(.spent) = rig.why(waiting) else {
      Issue.record("\(rig.why(waiting))")
      return
    }
  }
}
