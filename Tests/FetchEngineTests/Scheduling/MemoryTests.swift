import FetchEngine
import FetchSchedule
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

/// Tests of the scheduler's state (`ScheduleMemory`) if the store refuses to write this state.
@Suite struct MemoryTests {
  @Test func `a part of the memory that the store refused is stored with the rest the next time`()
    async throws
  {
    let bench = try ServiceBench()
    let open = try await bench.open(
      """
      jobs:
        - {name: a, plugin: rss, options: {url: "{h1}/a"}, interval: 1h}
      """)
    let jobs = open.service.jobs
    _ = jobs.pause("a", now: bench.now)
    _ = jobs.trigger("a", .push, now: bench.now)
    try await open.store.close()
    let told = Mutex<[String]>([])
    let closed = ScheduleMemory(
      store: open.store, events: .lines { message in told.withLock { $0.append(message) } })
    await closed.keepSkips(of: jobs)
    #expect(told.withLock { $0 } == ["the store \(bench.storePath) was closed"])
    let again = try await SQLiteStore.open(at: bench.storePath)
    #expect(try again.reader.skips(limit: 10).isEmpty)
    _ = jobs.trigger("a", .push, now: bench.now)
    await ScheduleMemory(store: again, events: .failing).keepSkips(of: jobs)
    #expect(try again.reader.skips(limit: 10).count == 2)
    try await again.close()
  }
}
