import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchEngine

@Suite(.timeLimit(.minutes(5))) struct WakeLoopTests {
  /// A loop on a clock of its own. The test scripts the results of the loop's turns.
  private final class Bench: Sendable {
    private struct State {
      var rest = WakeLoop.Rest()
      var turnCount = 0
      var cancelCount = 0
    }

    let clock = ManualClock()
    let shift = Shift()
    let loop: WakeLoop
    private let state = Mutex(State())

    init() {
      loop = WakeLoop(
        now: { [clock, shift] in at(clock.now.offset + shift.duration) }, clock: clock)
    }

    var turnCount: Int { state.withLock { $0.turnCount } }
    var cancelCount: Int { state.withLock { $0.cancelCount } }

    func leave(isBusy: Bool = false, nextAt: Duration? = nil, lookAt: Duration? = nil) {
      state.withLock {
        $0.rest = WakeLoop.Rest(isBusy: isBusy, nextAt: nextAt.map(at), lookAt: lookAt.map(at))
      }
    }

    func begin(until ending: WakeLoop.Ending = .stopped) -> Task<Void, Never> {
      Task { [self] in
        await loop.run(until: ending) {
          state.withLock { state in
            state.turnCount += 1
            return state.rest
          }
        } onCancel: {
          state.withLock { $0.cancelCount += 1 }
        }
      }
    }

    func turns(_ count: Int) async {
      while turnCount < count { await Task.yield() }
    }
  }

  /// The amount by which the machine's clock was set forward or back, in addition to the time that
  /// has passed.
  private final class Shift: Sendable {
    private let stored = Mutex(Duration.zero)
    var duration: Duration {
      get { stored.withLock { $0 } }
      set { stored.withLock { $0 = newValue } }
    }
  }

  private let bench = Bench()

  @Test func `a loop takes a turn immediately, when it is poked, and at its next time`()
    async throws
  {
    bench.leave(nextAt: .seconds(10))
    let running = bench.begin()
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(10)) == .seconds(10))
    #expect(bench.turnCount == 1)
    // A turn has ended when its timer is there.
    bench.leave(nextAt: .seconds(5))
    bench.loop.poke()
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(5)) == .seconds(5))
    #expect(bench.turnCount == 2)
    bench.leave(nextAt: .seconds(25))
    bench.clock.advance(by: .seconds(5))
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(25)) == .seconds(25))
    #expect(bench.turnCount == 3)
    bench.loop.drain()
    await running.value
    #expect(bench.turnCount == 4)
    #expect(bench.clock.sleeperCount == 0)
  }

  @Test func `pokes during a turn become one more turn`() async {
    let turnCount = Mutex(0)
    await bench.loop.run(until: .stopped) {
      turnCount.withLock { $0 += 1 }
      if turnCount.withLock({ $0 }) == 1 {
        for _ in 0..<5 { bench.loop.poke() }
      } else {
        bench.loop.drain()
      }
      return WakeLoop.Rest()
    }
    #expect(turnCount.withLock { $0 } == 2)
  }

  @Test func `an earlier time replaces the timer, and a later one waits until the timer fires`()
    async throws
  {
    bench.leave(nextAt: .seconds(10))
    let running = bench.begin()
    _ = try await bench.clock.waitForSleeper(notAfter: .seconds(10))
    bench.leave(nextAt: .seconds(5))
    bench.loop.poke()
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(5)) == .seconds(5))
    bench.leave(nextAt: .seconds(20))
    bench.loop.poke()
    await bench.turns(3)
    // The fourth turn begins after the third has left the timer as it was.
    bench.loop.poke()
    await bench.turns(4)
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(20)) == .seconds(5))
    bench.clock.advance(by: .seconds(5))
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(20)) == .seconds(20))
    bench.loop.drain()
    await running.value
  }

  @Test func `a loop with nothing to wait for has no timer`() async throws {
    bench.leave(nextAt: .seconds(10))
    let running = bench.begin()
    _ = try await bench.clock.waitForSleeper(notAfter: .seconds(10))
    bench.leave()
    bench.loop.poke()
    while bench.clock.sleeperCount > 0 { await Task.yield() }
    bench.loop.drain()
    await running.value
  }

  @Test func `a time that has passed wakes the loop immediately`() async {
    bench.clock.advance(by: .seconds(60))
    bench.leave(nextAt: .seconds(10))
    let running = bench.begin()
    await bench.turns(5)
    bench.loop.drain()
    await running.value
  }

  @Test func `the timer is set again after the clock was set`() async throws {
    bench.leave(nextAt: .seconds(100))
    let running = bench.begin()
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(100)) == .seconds(100))
    bench.shift.duration = .seconds(70)
    bench.loop.clockWasSet()
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(30)) == .seconds(30))
    bench.shift.duration = .seconds(-50)
    bench.loop.clockWasSet()
    await bench.turns(3)
    while bench.clock.sleeperCount != 1 { await Task.yield() }
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(150)) == .seconds(150))
    bench.loop.drain()
    await running.value
  }

  @Test(arguments: [WakeLoop.Ending.stopped, .idle(patience: .zero)])
  func `a drained loop ends when nothing is active`(ending: WakeLoop.Ending) async {
    bench.leave(isBusy: true, nextAt: .seconds(10))
    let running = bench.begin(until: ending)
    await bench.turns(1)
    #expect(!bench.loop.isDraining)
    bench.loop.drain()
    await bench.turns(2)
    #expect(bench.loop.isDraining)
    bench.leave(nextAt: .seconds(10))
    bench.loop.poke()
    await running.value
    #expect(bench.cancelCount == 0)
  }

  @Test func `a loop that was drained before it began takes one turn`() async {
    bench.loop.drain()
    await bench.begin().value
    #expect(bench.turnCount == 1)
  }

  @Test func `an idle loop waits for work that begins within its patience`() async throws {
    bench.leave(nextAt: .seconds(10))
    let running = bench.begin(until: .idle(patience: .seconds(10)))
    _ = try await bench.clock.waitForSleeper(notAfter: .seconds(10))
    bench.leave(nextAt: .seconds(21))
    bench.clock.advance(by: .seconds(10))
    await running.value
    #expect(bench.turnCount == 2)
    #expect(bench.clock.sleeperCount == 0)
  }

  @Test func `an idle loop does not wait for the time of its next check`() async {
    bench.leave(lookAt: .seconds(1))
    await bench.begin(until: .idle(patience: .seconds(10))).value
    #expect(bench.turnCount == 1)
  }

  @Test func `the time of a check wakes a loop before the next work begins`() async throws {
    bench.leave(nextAt: .seconds(10), lookAt: .seconds(4))
    let running = bench.begin()
    #expect(try await bench.clock.waitForSleeper(notAfter: .seconds(4)) == .seconds(4))
    bench.loop.drain()
    await running.value
  }

  @Test func `a new ending applies to a running loop and to one that has not begun`() async {
    bench.leave(nextAt: .seconds(10))
    let running = bench.begin()
    await bench.turns(1)
    bench.loop.setEnding(.idle(patience: .seconds(9)))
    await running.value
    let next = Bench()
    next.loop.setEnding(.idle(patience: .seconds(9)))
    await next.begin(until: .stopped).value
    #expect(next.turnCount == 1)
  }

  @Test func `a loop that has ended can run again`() async {
    await bench.begin(until: .idle(patience: .zero)).value
    await bench.begin(until: .idle(patience: .zero)).value
    #expect(bench.turnCount >= 2)
  }

  @Test func `a cancelled loop drains, reports it once and waits for nothing`() async throws {
    bench.leave(isBusy: true, nextAt: .seconds(10))
    let running = bench.begin()
    _ = try await bench.clock.waitForSleeper(notAfter: .seconds(10))
    running.cancel()
    await running.value
    #expect(bench.loop.isDraining)
    #expect(bench.cancelCount == 1)
    #expect(bench.clock.sleeperCount == 0)
  }
}

private func at(_ offset: Duration) -> Timestamp { Timestamp(seconds: 1_800_000_000) + offset }
