import FetchHost
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct ClockWatcherTests {
  @Test func `each change of the clock is reported`() async throws {
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

  @Test func `the kernel's events are received until the stop`() async {
    let watcher = ClockWatcher()
    #expect(watcher.start {})
    await watcher.stop()
    await watcher.stop()
  }

  @Test func `stopping a watcher that never started returns`() async { await ClockWatcher().stop() }
}
