import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the window of a run, which is suspended while the run waits for its turn at a hostname.
@Suite(.timeLimit(.minutes(5))) struct WindowTests {
  private static let window: Duration = .seconds(2)

  /// Runs a plugin that makes one call. The call waits ten seconds for its turn, on a separate
  /// clock.
  private func run(_ rest: String, waiting: Duration) async throws -> WorkerRunEnd {
    let clock = ManualClock()
    let waits = TurnWaits(max: waiting, lanes: RequestLanes(clock: clock))
    let calls = RecordedCalls { _ in
      let request = waits.beginRequest(to: "a.test")
      defer { waits.endRequest(request) }
      await waits.waiting(request, for: "a.test") { clock.advance(by: .seconds(10)) }
      return .values([.object(ValueObject([("status", 200), ("headers", [:])]))])
    }
    var run = WorkerRun(
      plugin: .fetching("require('http').get('http://a.test/')\n" + rest), seed: 1)
    run.limits.window = Self.window
    run.limits.waiting = waiting
    run.waits = waits
    let pool = try WorkerPool.forTests()
    let end = await pool.run(run, calls: calls)
    await pool.shutdown()
    return end
  }

  /// Code that computes for longer than the window.
  private static let longerThanWindow =
    """
    while ctx:time_left() > 0 do end
    for _ = 1, 20000000 do end
    return { {id = '1'} }
    """

  @Test func `a run has its whole window in addition to its waits`() async throws {
    let end = try await run(Self.longerThanWindow, waiting: .seconds(60))
    #expect(try end.result.get().items.count == 1)
  }

  @Test func `a run that has used up its allowed wait ends at the end of its window`() async throws
  {
    let end = try await run("while true do end", waiting: .milliseconds(200))
    #expect(end.failure?.code == .timeLimit)
    #expect(
      end.failure?.message.hasPrefix(
        "the run waited 200 ms for its turn (limit waiting), and the rest of the run"
          + " took longer than its window of 2 s (limit window); ") == true, "\(end)")
  }

  @Test func `a run that does not wait has only its window`() async throws {
    let calls = RecordedCalls { _ in
      .values([.object(ValueObject([("status", 200), ("headers", [:])]))])
    }
    let pool = try WorkerPool.forTests()
    var run = WorkerRun(
      plugin: .fetching("require('http').get('http://a.test/')\nwhile true do end"), seed: 1)
    run.limits.window = Self.window
    run.waits = TurnWaits(max: .seconds(600))
    let end = await pool.run(run, calls: calls)
    await pool.shutdown()
    #expect(end.failure?.message.hasPrefix("the run took longer than its window of 2 s") == true)
  }
}
