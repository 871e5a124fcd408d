import FetchModel
import FetchSchedule
import FetchValues
import Testing

@testable import FetchEngine

@Suite struct JobTableTests {
  @Test func `a table has the values of some jobs, in the order of the jobs' numbers`() {
    let now = Timestamp(seconds: 1_800_000_000)
    var scheduler = Scheduler(budget: Budget(BudgetLimits(), now: now), now: now)
    let numbers = (0..<4).map {
      scheduler.add(ScheduledJob(name: JobName("job \($0)"), interval: .never), now: now)
    }
    var table = JobTable<String>()
    table[numbers[3]] = nil
    #expect(table.isEmpty && table.first == nil && table[numbers[0]] == nil)
    table[numbers[2]] = "c"
    table[numbers[0]] = "a"
    table[numbers[2]] = "C"
    #expect(table.values == ["a", "C"] && table.first == "a")
    #expect(table[numbers[1]] == nil && table[numbers[3]] == nil)
    table.replaceValues { $0 + "!" }
    table[numbers[0]] = nil
    table[numbers[0]] = nil
    #expect(table.values == ["C!"] && table.first == "C!" && !table.isEmpty)
    table[numbers[2]] = nil
    #expect(table.isEmpty && table.values.isEmpty)
  }
}
