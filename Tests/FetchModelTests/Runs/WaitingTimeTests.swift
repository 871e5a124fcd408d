import FetchModel
import FetchValues
import Testing

@Suite struct WaitingTimeTests {
  private func seconds(_ count: Int) -> Duration { .seconds(count) }

  @Test func `only the time until a request's turn counts as a wait`() {
    var time = WaitingTime(max: seconds(60))
    let request = time.beginRequest(to: "a.test", now: seconds(1))
    #expect(time.total(now: seconds(2)) == .zero && time.turn == nil)
    time.beginTurn(of: request, at: "a.test", now: seconds(3))
    #expect(time.turn?.hostname == "a.test" && time.turn?.since == seconds(3))
    #expect(time.total(now: seconds(7)) == seconds(4))
    time.endTurn(of: request, now: seconds(8))
    #expect(time.turn == nil)
    time.endRequest(request, now: seconds(20))
    #expect(time.total(now: seconds(30)) == seconds(5))
  }

  @Test func `waits add up to the limit, and no further`() {
    var time = WaitingTime(max: seconds(10))
    for start in [0, 100, 200] {
      let request = time.beginRequest(to: "a.test", now: seconds(start))
      time.beginTurn(of: request, at: "a.test", now: seconds(start))
      time.endTurn(of: request, now: seconds(start + 4))
      time.endRequest(request, now: seconds(start + 50))
    }
    #expect(time.total(now: seconds(300)) == seconds(10))
  }

  @Test func `parallel waits count once`() {
    var time = WaitingTime(max: seconds(60))
    let first = time.beginRequest(to: "a.test", now: seconds(0))
    time.beginTurn(of: first, at: "a.test", now: seconds(0))
    let second = time.beginRequest(to: "b.test", now: seconds(0))
    time.beginTurn(of: second, at: "b.test", now: seconds(0))
    time.endTurn(of: first, now: seconds(5))
    // One request was sent, so the run does not only wait.
    #expect(time.turn == nil)
    #expect(time.total(now: seconds(9)) == seconds(5))
    time.endRequest(first, now: seconds(10))
    #expect(time.turn?.hostname == "b.test")
    time.endTurn(of: second, now: seconds(12))
    time.endRequest(second, now: seconds(13))
    #expect(time.total(now: seconds(20)) == seconds(7))
  }

  @Test func `a run waits for a worker, then for its turn at a hostname, then for an answer`() {
    var time = WaitingTime(max: seconds(60))
    func current() -> WaitNow? {
      time.current.map { WaitNow(wait: $0.wait, since: $0.since) }
    }
    #expect(current() == nil)
    time.setWaitsForWorker(true, now: seconds(1))
    time.setWaitsForWorker(true, now: seconds(2))
    #expect(current() == WaitNow(wait: .worker, since: seconds(1)))
    time.setWaitsForWorker(false, now: seconds(3))
    #expect(current() == nil)
    let request = time.beginRequest(to: "a.test", now: seconds(4))
    time.beginTurn(of: request, at: "a.test", now: seconds(4))
    #expect(current() == WaitNow(wait: .lane("a.test"), since: seconds(4)))
    time.endTurn(of: request, now: seconds(7))
    #expect(current() == WaitNow(wait: .answer("a.test"), since: seconds(7)))
    time.endRequest(request, now: seconds(9))
    #expect(current() == nil)
  }

  @Test func `the wait for answers begins with the oldest request that was sent`() {
    var time = WaitingTime(max: seconds(60))
    _ = time.beginRequest(to: "", now: seconds(0))
    let requests = ["a.test", "b.test", "c.test"].enumerated().map { place, hostname in
      time.beginRequest(to: hostname, now: seconds(place + 1))
    }
    time.beginTurn(of: requests[0], at: "a.test", now: seconds(3))
    #expect(time.current?.wait == .answer("b.test") && time.current?.since == seconds(2))
    time.endRequest(requests[1], now: seconds(4))
    #expect(time.current?.wait == .answer("c.test"))
    time.endRequest(requests[2], now: seconds(5))
    #expect(time.current == nil)
  }

  @Test func `two requests to one hostname are kept apart`() {
    var time = WaitingTime(max: seconds(60))
    let first = time.beginRequest(to: "a.test", now: seconds(0))
    let second = time.beginRequest(to: "a.test", now: seconds(3))
    time.beginTurn(of: second, at: "a.test", now: seconds(3))
    #expect(time.current?.wait == .answer("a.test") && time.current?.since == seconds(0))
    time.endTurn(of: second, now: seconds(5))
    #expect(time.current?.since == seconds(0))
    time.endRequest(second, now: seconds(8))
    #expect(time.current?.wait == .answer("a.test") && time.current?.since == seconds(0))
    time.endRequest(first, now: seconds(9))
    #expect(time.current == nil && time.total(now: seconds(9)) == .zero)
  }

  private struct WaitNow: Equatable {
    var wait: RunWait
    var since: Duration
  }

  @Test func `a clock that goes back subtracts nothing from the wait`() {
    var time = WaitingTime(max: seconds(60))
    let request = time.beginRequest(to: "a.test", now: seconds(5))
    time.beginTurn(of: request, at: "a.test", now: seconds(5))
    time.endTurn(of: request, now: seconds(4))
    #expect(time.total(now: seconds(6)) == .zero)
  }

  @Test func `the longest wait is set like any other limit`() throws {
    var limits = RunLimits()
    #expect(limits.waiting == .seconds(600))
    try limits.set("waiting", to: "90s")
    #expect(limits.waiting == .seconds(90) && limits.window == .seconds(30))
    #expect(limits.unusual == ValueObject([("waiting", "90000ms")]))
    #expect(
      Failure.waitedTooLong(limits).message
        == "the run waited 90 s for its turn (limit waiting), and the rest of the run"
        + " took longer than its window of 30 s (limit window); send fewer "
        + "requests, raise a limit, or shorten the gap of the lane")
  }
}
