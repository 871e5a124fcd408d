import Testing

@testable import FetchStoreSQLite

/// Tests of the grouping of requests, on a clock that the test sets.
struct PendingRequestsTests {
  private let start = ContinuousClock.now
  private var pending = PendingRequests()

  private func request(isWrite: Bool, siblings: Int? = nil) -> WriteQueue.Request {
    WriteQueue.Request(
      isWrite: isWrite, siblingCount: siblings, attempt: { _ in {} }, fail: { _ in })
  }

  private func end(of siblings: Int) -> WriteQueue.Request {
    request(isWrite: true, siblings: siblings)
  }

  private mutating func workCount(
    after time: Duration = .zero, isEnding: Bool = false
  ) -> Int? {
    guard case .work(let some) = pending.turn(isEnding: isEnding, now: start + time) else {
      return nil
    }
    return some.count
  }

  @Test mutating func `the end of a single run does not wait`() {
    pending.append(end(of: 1), now: start)
    #expect(!pending.mayWait)
    #expect(workCount() == 1)
    #expect(pending.isEmpty)
  }

  @Test mutating func `the ends of active runs wait for one another until all are there`() {
    for _ in 1...2 { pending.append(end(of: 3), now: start) }
    #expect(pending.mayWait)
    #expect(workCount(after: .milliseconds(4)) == nil)
    pending.append(end(of: 3), now: start + .milliseconds(4))
    #expect(!pending.mayWait)
    #expect(workCount(after: .milliseconds(4)) == 3)
  }

  @Test mutating func `the ends of runs wait only until the first one must be written`() {
    pending.append(end(of: 10), now: start)
    pending.append(end(of: 10), now: start + .milliseconds(3))
    guard case .sleep(let time) = pending.turn(isEnding: false, now: start + .milliseconds(3))
    else {
      Issue.record("expected a wait")
      return
    }
    #expect(time == PendingRequests.waitMax - .milliseconds(3))
    #expect(workCount(after: PendingRequests.waitMax) == 2)
  }

  @Test mutating func `a complete group is written immediately`() {
    for _ in 1...PendingRequests.groupMax { pending.append(end(of: 1_000), now: start) }
    #expect(workCount() == PendingRequests.groupMax)
  }

  @Test mutating func `a read does not wait, and does not end the wait of others`() {
    pending.append(end(of: 2), now: start)
    pending.append(request(isWrite: false), now: start)
    #expect(!pending.mayWait)
    #expect(workCount() == 1)
    #expect(pending.mayWait)
    pending.append(end(of: 2), now: start)
    #expect(workCount() == 2)
  }

  @Test
  mutating func
    `another write does not wait, and is done with all waiting requests in order`()
  {
    pending.append(end(of: 5), now: start)
    pending.append(request(isWrite: true), now: start)
    guard case .work(let some) = pending.turn(isEnding: false, now: start) else {
      Issue.record("a write waits")
      return
    }
    #expect(some.map(\.siblingCount) == [5, nil])
  }

  @Test mutating func `nothing waits once the store is closed`() {
    pending.append(end(of: 5), now: start)
    #expect(workCount(isEnding: true) == 1)
  }
}
