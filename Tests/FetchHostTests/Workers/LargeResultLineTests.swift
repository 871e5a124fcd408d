import FetchHost
import Synchronization
import Testing

struct LargeResultLineTests {
  @Test func `a result that is not large waits for nobody`() async {
    let results = LargeResults()
    let first = await results.turn(weight: .max)
    #expect(await results.turn(weight: LargeResults.weightMin) == nil)
    #expect(first != nil)
  }

  @Test func `large results have their turns one after the other`() async {
    let results = LargeResults()
    let holders = Mutex(0)
    let most = Mutex(0)
    await withTaskGroup { group in
      for _ in 0..<20 {
        group.addTask {
          let turn = await results.turn(weight: .max)
          let count = holders.withLock { count in
            count += 1
            return count
          }
          most.withLock { $0 = max($0, count) }
          await Task.yield()
          holders.withLock { $0 -= 1 }
          withExtendedLifetime(turn) {}
        }
      }
    }
    #expect(most.withLock(\.self) == 1)
    #expect(holders.withLock(\.self) == 0)
  }
}
