import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests that a job has at most one run at a time, and tests of the reported waits.
@Suite(.timeLimit(.minutes(5))) struct JobTurnsTests {
  private let turns = JobTurns()

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  private func wait(_ job: JobName) -> RunWait? { turns.wait(of: job, now: at(100))?.wait }

  @Test func `a run waits for the end of the previous one, and reports since when it waits`() async
  {
    let first = await turns.enter("a", isAside: true, now: at(1))
    #expect(wait("a") == nil)
    let entered = Task.immediate { await turns.enter("a", isAside: false, now: at(5)) }
    #expect(wait("a") == .turn)
    #expect(turns.wait(of: "a", now: at(100))?.since == at(5))
    #expect(wait("b") == nil)
    turns.leave("a", first)
    let second = await entered.value
    #expect(wait("a") == nil)
    turns.leave("a", second)
    #expect(turns.wait(of: "a", now: at(100)) == nil)
  }

  @Test func `runs of one job take turns in the order of their arrival`() async {
    let first = await turns.enter("a", isAside: false, now: at(1))
    let others = (0..<3).map { _ in
      Task.immediate { await turns.enter("a", isAside: false, now: at(2)) }
    }
    let other = await turns.enter("b", isAside: false, now: at(2))
    turns.leave("b", other)
    turns.leave("a", first)
    // In another order, an earlier task would wait for a later one, and this loop would not end.
    for task in others { turns.leave("a", await task.value) }
    #expect(turns.wait(of: "a", now: at(100)) == nil)
  }

  @Test func `a scheduled run is reported before a run that is not scheduled`() async {
    let first = await turns.enter("a", isAside: true, now: at(1))
    let waits = TurnWaits(max: .zero)
    turns.begin(first, waits)
    let entered = Task.immediate { await turns.enter("a", isAside: false, now: at(5)) }
    let request = waits.beginRequest(to: "h.test")
    await waits.waiting(request, for: "h.test") { #expect(wait("a") == .turn) }
    turns.leave("a", first)
    let second = await entered.value
    turns.begin(second, waits)
    await waits.waiting(request, for: "h.test") { #expect(wait("a") == .lane("h.test")) }
    waits.endRequest(request)
    #expect(wait("a") == nil)
    turns.leave("a", second)
  }
}
