import FetchHost
import FetchModel
import FetchTestSupport
import Synchronization
import Testing

/// Tests of turns at a hostname, on a clock that only the test moves.
@Suite struct RequestLanesTests {
  let clock = ManualClock()

  private func rules(connections: Int = 1, gap: Duration = .zero) -> LaneRules {
    var rule = LaneRule()
    rule.connectionsMax = connections
    rule.gap = gap
    var rules = LaneRules()
    if let all = HostPattern("*") { rules.set(rule, for: all) }
    return rules
  }

  private func lanes(connections: Int = 1, gap: Duration = .zero) -> RequestLanes {
    RequestLanes(rules: rules(connections: connections, gap: gap), clock: clock)
  }

  /// Lets other tasks run until the condition is true.
  private func until(_ holds: @Sendable () -> Bool) async {
    while !holds() { await Task.yield() }
  }

  @Test func `requests to a hostname keep the limit and their order`() async {
    let lanes = lanes(connections: 2)
    let entered = Noted<Int>()
    #expect(await lanes.enter("a.test", within: .seconds(30)))
    #expect(await lanes.enter("a.test", within: .seconds(30)))
    var tasks: [Task<Bool, Never>] = []
    for number in 0..<5 {
      tasks.append(
        Task {
          let isIn = await lanes.enter("a.test", within: .seconds(30))
          entered.note(number)
          return isIn
        })
      await until { lanes.usageCount == 3 + number }
    }
    // Another hostname has a queue of its own.
    #expect(await lanes.enter("b.test", within: .seconds(30)))
    lanes.leave("b.test")
    for number in 0..<5 {
      #expect(entered.all == Array(0..<number))
      lanes.leave("a.test")
      #expect(await tasks[number].value)
    }
    lanes.leave("a.test")
    lanes.leave("a.test")
    #expect(lanes.usageCount == 0)
  }

  @Test func `the gap is between two starts, however long the requests take`() async {
    let lanes = lanes(connections: 3, gap: .seconds(2))
    let starts = Noted<Duration>()
    let tasks = (0..<4).map { _ in
      Task { [clock] in
        guard await lanes.enter("a.test", within: .seconds(60)) else { return }
        starts.note(clock.now.offset)
        lanes.leave("a.test")
      }
    }
    for count in 1...4 {
      await until { starts.all.count == count }
      if count == 4 { break }
      // No request starts just before the end of the gap. The next request starts half a second
      // after this end, and the next gap begins at this start.
      await clock.waitForSleeper()
      clock.advance(by: .milliseconds(1999))
      #expect(starts.all.count == count)
      clock.advance(by: .milliseconds(501))
    }
    for task in tasks { await task.value }
    let seen = starts.all
    for (before, after) in zip(seen, seen.dropFirst()) { #expect(after - before >= .seconds(2)) }
    #expect(lanes.usageCount == 0)
  }

  @Test func `a turn that would be too late is refused immediately`() async {
    let lanes = lanes(connections: 1, gap: .seconds(10))
    #expect(await lanes.enter("a.test", within: .seconds(5)))
    // The gap alone exceeds the request's time, whether a place is free or not.
    #expect(await lanes.enter("a.test", within: .seconds(10)) == false)
    lanes.leave("a.test")
    #expect(await lanes.enter("a.test", within: .seconds(10)) == false)
    #expect(await lanes.enter("a.test", within: .zero) == false)
    #expect(await lanes.enter("a.test", within: .seconds(-1)) == false)
    #expect(lanes.usageCount == 0)
    clock.advance(by: .seconds(10))
    #expect(await lanes.enter("a.test", within: .seconds(1)))
  }

  @Test func `a request waits for a place no longer than its time`() async {
    let lanes = lanes()
    #expect(await lanes.enter("a.test", within: .seconds(5)))
    let second = Task { await lanes.enter("a.test", within: .seconds(5)) }
    await clock.waitForSleeper()
    await until { lanes.usageCount == 2 }
    clock.advance(by: .seconds(5))
    #expect(await second.value == false)
    #expect(lanes.usageCount == 1)
    lanes.leave("a.test")
    #expect(await lanes.enter("a.test", within: .seconds(1)))
  }

  @Test func `a request that is cancelled while it waits for a place uses none`() async {
    let lanes = lanes()
    #expect(await lanes.enter("a.test", within: .seconds(5)))
    let second = Task { await lanes.enter("a.test", within: .seconds(5)) }
    await until { lanes.usageCount == 2 }
    second.cancel()
    #expect(await second.value == false)
    #expect(lanes.usageCount == 1)
  }

  @Test func `a request that is cancelled in the gap frees its place`() async {
    let lanes = lanes(connections: 2, gap: .seconds(1))
    #expect(await lanes.enter("a.test", within: .seconds(5)))
    let second = Task { await lanes.enter("a.test", within: .seconds(5)) }
    await clock.waitForSleeper()
    second.cancel()
    #expect(await second.value == false)
    #expect(lanes.usageCount == 1)
  }

  @Test func `a request that was cancelled before it asks for a place gets none`() async {
    let lanes = lanes()
    let task = Task {
      await until { Task.isCancelled }
      return await lanes.enter("a.test", within: .seconds(5))
    }
    task.cancel()
    #expect(await task.value == false)
    #expect(lanes.usageCount == 0)
  }

  @Test func `new rules apply to requests that already wait`() async {
    let lanes = lanes()
    #expect(await lanes.enter("a.test", within: .seconds(5)))
    let waiting = (0..<3).map { _ in Task { await lanes.enter("a.test", within: .seconds(5)) } }
    await until { lanes.usageCount == 4 }
    lanes.setRules(rules(connections: 4))
    for task in waiting { #expect(await task.value) }
    // With fewer places no request is rejected, but no request gets a place until a place is free.
    lanes.setRules(rules(connections: 1))
    let late = Task { await lanes.enter("a.test", within: .seconds(5)) }
    await until { lanes.usageCount == 5 }
    for count in [4, 3, 2] {
      lanes.leave("a.test")
      #expect(lanes.usageCount == count)
    }
    lanes.leave("a.test")
    #expect(await late.value)
    #expect(lanes.usageCount == 1)
  }

  @Test func `unused lanes are dropped`() async {
    let lanes = lanes(gap: .seconds(1))
    for number in 0..<5000 {
      #expect(await lanes.enter("h\(number).test", within: .seconds(5)))
      lanes.leave("h\(number).test")
      clock.advance(by: .milliseconds(100))
    }
    #expect(lanes.laneCount < 1100)
  }

  // MARK: Anything, in any order

  /// A recorder of the forbidden states of one simulated world.
  private final class Books: Sendable {
    struct Page {
      var under: [String: Int] = [:]
      var starts: [String: Int] = [:]
      var wrong: [String] = []
    }
    let page = Mutex(Page())
  }

  @Test(arguments: 1...40)
  func `in any order of requests and cancellations, the limits hold and no place is lost`(
    seed: UInt64
  )
    async
  {
    var chance = SeededGenerator(seed: seed)
    let connections = 1 + chance.below(3)
    let gap = Duration.milliseconds(chance.below(3) * 500)
    let lanes = lanes(connections: connections, gap: gap)
    let books = Books()
    var tasks: [Task<Void, Never>] = []
    for _ in 0..<200 {
      switch chance.below(6) {
      case 0...2:
        let hostname = ["a.test", "b.test"][chance.below(2)]
        let patience = Duration.milliseconds(chance.below(6000))
        let length = Duration.milliseconds(chance.below(1500))
        tasks.append(
          Task { [clock] in
            guard await lanes.enter(hostname, within: patience) else { return }
            books.page.withLock { page in
              let now = clock.now.offset
              page.under[hostname, default: 0] += 1
              if page.under[hostname, default: 0] > connections { page.wrong.append("too many") }
              // An event is recorded after it happens: n - 1 gaps precede the nth start.
              let earlier = page.starts[hostname, default: 0]
              if now < gap * earlier { page.wrong.append("too soon") }
              page.starts[hostname] = earlier + 1
            }
            try? await clock.sleep(for: length)
            books.page.withLock { $0.under[hostname, default: 0] -= 1 }
            lanes.leave(hostname)
          })
      case 3: tasks.randomElement(using: &chance)?.cancel()
      default:
        for _ in 0..<chance.below(4) { await Task.yield() }
        clock.advance(by: .milliseconds(chance.below(500)))
      }
    }
    for task in tasks.suffix(3) { task.cancel() }
    let ended = Noted<Void>()
    await withTaskGroup { group in
      for task in tasks {
        group.addTask {
          await task.value
          ended.note(())
        }
      }
      while ended.all.count < tasks.count {
        clock.advance(by: .milliseconds(100))
        await Task.yield()
      }
    }
    #expect(books.page.withLock { $0.wrong } == [])
    #expect(books.page.withLock { $0.starts.count } > 0)
    #expect(lanes.usageCount == 0)
  }
}

/// A recorder of events in their order.
private final class Noted<Fact: Sendable>: Sendable {
  private let facts = Mutex<[Fact]>([])
  var all: [Fact] { facts.withLock { $0 } }
  func note(_ fact: Fact) { facts.withLock { $0.append(fact) } }
}
