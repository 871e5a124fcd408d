import FetchHost
import Synchronization
import Testing

struct LargeResultLineTests {
  /// A counter of the tasks that hold a turn, with its peak.
  private final class Holders: Sendable {
    private let state = Mutex((now: 0, most: 0))

    var most: Int { state.withLock { $0.most } }

    func enter() {
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
    }

    func leave() { state.withLock { $0.now -= 1 } }
  }

  @Test func `a small result does not wait`() async {
    let results = LargeResults()
    let first = await results.turn(weight: .max)
    let small = await results.turn(weight: LargeResults.weightMin)
    #expect(first != nil)
    #expect(small == nil)
  }

  @Test func `large results take turns, one at a time`() async {
    let results = LargeResults()
    let holders = Holders()
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          let turn = await results.turn(weight: .max)
          holders.enter()
          await Task.yield()
          holders.leave()
          withExtendedLifetime(turn) {}
        }
      }
    }
    #expect(holders.most == 1)
  }
}
