import FetchHost
import Testing

@Suite struct ThreadStopTests {
  @Test func `stopping a thread that never began returns immediately`() async throws {
    await ThreadStop(try #require(WakeSignal())).stop()
  }

  @Test func `stop returns after the thread has ended`() async throws {
    let stop = ThreadStop(try #require(WakeSignal()))
    stop.begin()
    DedicatedThread.start("test") {
      while !stop.isAsked { stop.wake.clear() }
      stop.finish()
    }
    await stop.stop()
    await stop.stop()
    #expect(stop.isAsked)
  }
}
