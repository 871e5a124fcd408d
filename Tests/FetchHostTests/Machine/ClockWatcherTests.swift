import FetchHost
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct ClockWatcherTests {
  @Test func `each time the clock is set is told`() async throws {
    let kernel = try #require(WakeSignal())
    let (events, source) = AsyncStream<Void>.makeStream()
    let watcher = ClockWatcher()
    #expect(watcher.start(timer: dup(kernel.descriptor)) { source.yield() })
    var iterator = events.makeAsyncIterator()
    for _ in 0..<3 {
      kernel.ring()
      #expect(await iterator.next() != nil)
    }
    await watcher.stop()
    source.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `the kernel is listened to, until the stop`() async {
    let watcher = ClockWatcher()
    #expect(watcher.start {})
    await watcher.stop()
    await watcher.stop()
  }

  @Test func `stopping what never started returns`() async { await ClockWatcher().stop() }
}
