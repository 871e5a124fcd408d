import FetchModel
import FetchValues
import Testing

@Suite struct WaitingTimeTests {
  private func seconds(_ count: Int) -> Duration { .seconds(count) }

  @Test func `only the time until the turn comes counts`() {
    var time = WaitingTime(max: seconds(60))
    time.beginRequest(now: seconds(1))
    #expect(time.total(now: seconds(2)) == .zero && time.turn == nil)
    time.beginTurn(at: "a.test", now: seconds(3))
    #expect(time.turn?.hostname == "a.test" && time.turn?.since == seconds(3))
    #expect(time.total(now: seconds(7)) == seconds(4))
    time.endTurn(at: "a.test", now: seconds(8))
    #expect(time.turn == nil)
    time.endRequest(now: seconds(20))
    #expect(time.total(now: seconds(30)) == seconds(5))
  }

  @Test func `waits add up to the bound and no further`() {
    var time = WaitingTime(max: seconds(10))
    for start in [0, 100, 200] {
      time.beginRequest(now: seconds(start))
      time.beginTurn(at: "a.test", now: seconds(start))
      time.endTurn(at: "a.test", now: seconds(start + 4))
      time.endRequest(now: seconds(start + 50))
    }
    #expect(time.total(now: seconds(300)) == seconds(10))
  }

  @Test func `requests that wait side by side count once`() {
    var time = WaitingTime(max: seconds(60))
    for hostname in ["a.test", "b.test"] {
      time.beginRequest(now: seconds(0))
      time.beginTurn(at: hostname, now: seconds(0))
    }
    time.endTurn(at: "a.test", now: seconds(5))
    // One of them is under way now, so the run does more than wait.
    #expect(time.turn == nil)
    #expect(time.total(now: seconds(9)) == seconds(5))
    time.endRequest(now: seconds(10))
    #expect(time.turn?.hostname == "b.test")
    time.endTurn(at: "b.test", now: seconds(12))
    time.endRequest(now: seconds(13))
    #expect(time.total(now: seconds(20)) == seconds(7))
  }

  @Test func `a clock that is read late takes nothing off`() {
    var time = WaitingTime(max: seconds(60))
    time.beginTurn(at: "a.test", now: seconds(5))
    time.endTurn(at: "a.test", now: seconds(4))
    #expect(time.total(now: seconds(6)) == .zero)
  }

  @Test func `the bound is a limit like others`() throws {
    var limits = RunLimits()
    #expect(limits.waiting == .seconds(600))
    try limits.set("waiting", to: "90s")
    #expect(limits.waiting == .seconds(90) && limits.window == .seconds(30))
    #expect(limits.unusual == ValueObject([("waiting", "90000ms")]))
    #expect(
      Failure.waitedTooLong(limits).message
        == "the run waited 90 s for its turn (limit waiting), and then took longer than its window of"
        + " 30 s (limit window); make it send fewer requests, raise a limit, or shorten the gap of the"
        + " lane")
  }
}
