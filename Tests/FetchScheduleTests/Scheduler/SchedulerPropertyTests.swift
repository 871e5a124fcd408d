import FetchModel
import FetchSchedule
import FetchTestSupport
import FetchValues
import Testing

@Suite struct SchedulerPropertyTests {
  @Test(arguments: 1...5)
  func `after any events the rules are kept, and finally all jobs run`(seed: Int) {
    var world = RandomWorld(seed: UInt64(seed))
    for _ in 0..<800 { world.step() }
    world.calm()
    let calmAt = world.rig.now
    // The longest back-off and the longest closure of a lane are one day.
    while world.rig.now < calmAt + .seconds(26 * 3600) { world.step() }
    for job in world.jobs where world.rig.scheduler[job].interval != .never {
      let last = world.rig.scheduler.schedule(of: job).lastStartAt
      #expect(last.map { $0 > calmAt } == true, "\(world.rig.scheduler[job].name)")
    }
    for (index, start) in world.requests.enumerated() {
      let count = world.requests[index...].prefix { $0 - start < .seconds(3600) }.count
      #expect(count <= RandomWorld.requestsAnHour)
    }
    #expect(!world.ownRequests.isEmpty)
    for times in world.ownRequests.values {
      for (index, start) in times.enumerated() {
        let count = times[index...].prefix { $0 - start < .seconds(3600) }.count
        #expect(count <= RandomWorld.ownRequestsAnHour)
      }
    }
  }

  @Test func `one seed always gives the same runs, and another seed gives others`() {
    func log(_ seed: UInt64) -> [String] {
      var world = RandomWorld(seed: seed)
      for _ in 0..<500 { world.step() }
      return world.log
    }
    #expect(log(7) == log(7))
    #expect(log(7) != log(8))
  }

  @Test(arguments: 1...3) func `every job runs even if the budget is too small for all`(seed: Int) {
    var chance = SeededGenerator(seed: UInt64(seed))
    var limits = BudgetLimits()
    limits.runsAtOnceMax = 2
    var rig = SchedulerRig(limits, gap: .zero)
    let priorities: [Priority] = [.low, .normal, .high]
    let jobs = (0..<40).map { index in
      rig.add("job\(index)", .every(.seconds(1)), host: "host\(index % 7).example") {
        $0.priority = priorities[index % 3]
      }
    }
    // The cost of a job's run is between 1 and about 12 turns.
    let bytes = jobs.map { _ in Double(chance.below(11)) * 1e6 }
    var longest = [Duration](repeating: .zero, count: jobs.count)
    var last = [Timestamp](repeating: rig.now, count: jobs.count)
    var running: [JobNumber] = []
    for _ in 0..<6_000 {
      running += rig.scheduler.due(now: rig.now).map(\.job)
      rig.advance(.seconds(1))
      guard let job = running.first, let index = jobs.firstIndex(of: job) else { continue }
      running.removeFirst()
      longest[index] = max(longest[index], rig.now - last[index])
      last[index] = rig.now
      let cost = RunCost(requests: 1, bytes: bytes[index])
      rig.scheduler.ended(job, RunSummary(.noData, cost: cost), now: rig.now)
      // Repeated requests of one job do not prevent the others from running.
      _ = rig.scheduler.trigger(jobs[0], .manual, now: rig.now)
    }
    // While the most expensive job of low priority waits, each other job has up to 24 times as many
    // turns.
    #expect(longest.allSatisfy { $0 > .zero && $0 < .seconds(40 * 24) })
    #expect(last.allSatisfy { rig.now - $0 < .seconds(40 * 24) })
  }
}
