import FetchEngine
import FetchHost
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchWeb

/// Tests of the fan-out, with a clock that only the test moves and without a socket.
@Suite(.timeLimit(.minutes(5))) struct EventHubTests {
  /// A hub with a store in memory. The bench counts the reads of the logs.
  private struct Bench {
    let store = MemoryStore()
    let daemon = ScriptedDaemon()
    let clock = ManualClock()
    let hub: EventHub
    let reads = ReadCount()

    init() {
      var reading = EventReading(
        WebStore(store, now: { StoredRuns.start }), WebControl(daemon.send))
      let (page, reads) = (reading.page, reads)
      reading.page = { cursor async throws(WebProblem) in
        reads.add(cursor)
        return try await page(cursor)
      }
      hub = EventHub(reading, clock: clock)
    }

    /// Starts a stream, and returns its writing end and its task.
    func stream(
      _ selection: EventSelection = EventSelection(kinds: [.item, .run]),
      after cursor: EventCursor? = nil, bytesMax: Int? = nil,
      isAllowed: @escaping @Sendable () -> Bool = { true }
    ) async throws -> (HeldStream, Task<Void, Never>) {
      let held = HeldStream(bytesMax: bytesMax)
      let seat = try hub.enter(.local, selection)
      let start: EventCursor
      if let cursor { start = cursor } else { start = try await hub.end() }
      let stream = EventStream(hub, seat, isAllowed: isAllowed)
      let client = EventClient(selection, after: start)
      return (
        held, Task(executorPreference: HostExecutor.shared) { await stream.run(client, held) }
      )
    }

    func until(_ isTrue: () -> Bool) async throws {
      let end = ContinuousClock.now + .seconds(30)
      while !isTrue() {
        try #require(.now < end)
        await Task.yield()
      }
    }
  }

  final class ReadCount: Sendable {
    private let state = Mutex<[EventCursor: Int]>([:])
    func add(_ cursor: EventCursor) { state.withLock { $0[cursor, default: 0] += 1 } }
    func count(_ cursor: EventCursor) -> Int { state.withLock { $0[cursor] ?? 0 } }
  }

  @Test func `one watch and one read of the store serve all clients`() async throws {
    let bench = Bench()
    let clients = try await (0..<20).asyncMap { _ in try await bench.stream() }
    try await bench.until { bench.daemon.openWatchCount == 1 }
    for (held, _) in clients { try await held.wait { $0.id == "0-0" } }
    try await StoredRuns.add(1, to: bench.store, items: [("a", "A")])
    bench.daemon.notify(items: 1, ended: 1)
    for (held, _) in clients { try await held.wait { $0.log == ["item 1", "run 000001"] } }
    try await StoredRuns.add(2, to: bench.store, items: [("b", "B")])
    let before = bench.reads.count(EventCursor(items: 1, ended: 1))
    bench.daemon.notify(items: 2, ended: 2)
    for (held, _) in clients { try await held.wait { $0.log.count == 4 } }
    #expect(bench.reads.count(EventCursor(items: 1, ended: 1)) - before == 1)
    #expect(bench.daemon.watchCount == 1)
    for (held, task) in clients {
      task.cancel()
      await task.value
      #expect(held.received.events.last?.name == "bye")
    }
    try await bench.until { bench.daemon.openWatchCount == 0 && bench.hub.clientCount == 0 }
    try await bench.until { bench.clock.sleeperCount == 0 }
  }

  @Test func `without a daemon the store is looked at every five seconds, while somebody listens`()
    async throws
  {
    let bench = Bench()
    bench.daemon.stop()
    // The first look wakes all clients, so this client comes after it.
    var first: EventSeat? = try bench.hub.enter(.local, EventSelection(kinds: []))
    _ = try await bench.clock.waitForSleeper(notAfter: EventHub.lookInterval)
    let (held, task) = try await bench.stream()
    try await held.wait { $0.id == "0-0" }
    try await StoredRuns.add(1, to: bench.store, items: [("a", "A")])
    #expect(held.received.log == [])
    bench.clock.advance(by: EventHub.lookInterval)
    try await held.wait { $0.log == ["item 1", "run 000001"] }
    // The daemon has started again. The hub watches the daemon again after the next look.
    bench.daemon.start()
    _ = try await bench.clock.waitForSleeper(notAfter: EventHub.lookInterval * 2)
    bench.clock.advance(by: EventHub.lookInterval)
    try await bench.until { bench.daemon.openWatchCount == 1 }
    try await StoredRuns.add(2, to: bench.store, items: [])
    bench.daemon.notify(items: 1, ended: 2)
    try await held.wait { $0.log.count == 3 }
    task.cancel()
    await task.value
    #expect(first != nil)
    first = nil
    try await bench.until { bench.clock.sleeperCount == 0 }
  }

  @Test func `a comment every fifteen seconds keeps the connection open`() async throws {
    let bench = Bench()
    let (held, task) = try await bench.stream(EventSelection(job: "other", kinds: [.item]))
    try await held.wait { $0.id == "0-0" && $0.retry == 3000 }
    try await bench.until { bench.daemon.openWatchCount == 1 }
    try await StoredRuns.add(1, to: bench.store, items: [("a", "A")])
    bench.daemon.notify(items: 1, ended: 1)
    _ = try await bench.clock.waitForSleeper(notAfter: EventHub.beatInterval)
    for count in 1...3 {
      bench.clock.advance(by: EventHub.beatInterval)
      try await held.wait { $0.comments == count }
      let next = EventHub.beatInterval * (count + 1)
      try await bench.until { bench.clock.firstSleeper == next }
    }
    // The events of other jobs also move the stream's cursor.
    #expect(held.received.id == "1-1")
    #expect(held.received.events == [])
    task.cancel()
    await task.value
  }

  @Test func `a client whose token was removed is sent away at the next heartbeat`() async throws {
    let bench = Bench()
    let isValid = Atomic(true)
    let (held, task) = try await bench.stream(isAllowed: { isValid.load(ordering: .relaxed) })
    try await held.wait { $0.id == "0-0" }
    _ = try await bench.clock.waitForSleeper(notAfter: EventHub.beatInterval)
    isValid.store(false, ordering: .relaxed)
    bench.clock.advance(by: EventHub.beatInterval)
    await task.value
    #expect(held.received.events.map(\.name) == ["bye"])
  }

  @Test func `states come at once, and then when they change`() async throws {
    let bench = Bench()
    bench.daemon.setState("a", "scheduled")
    bench.daemon.setState("b", "running")
    let (held, task) = try await bench.stream(EventSelection(kinds: [.state]))
    func states(_ received: ReceivedEvents) -> [String] {
      received.events.map { "\($0.data["job"] ?? .null) \($0.data["state"] ?? .null)" }
    }
    try await held.wait { $0.count("state") == 2 }
    let only = try await bench.stream(EventSelection(job: "b", kinds: [.state]))
    try await only.0.wait { $0.count("state") == 1 }
    bench.daemon.setState("b", "paused")
    _ = try await bench.clock.waitForSleeper(notAfter: EventHub.statesInterval)
    bench.daemon.notify(items: 0, ended: 0, states: 1)
    bench.clock.advance(by: EventHub.statesInterval)
    for one in [held, only.0] { try await one.wait { $0.events.last?.data["state"] == "paused" } }
    #expect(held.received.count("state") == 3)
    #expect(only.0.received.count("state") == 2)
    for one in [task, only.1] {
      one.cancel()
      await one.value
    }
  }

  @Test(arguments: [nil, "a"] as [JobName?])
  func `states that could not be read are read again after a pause`(job: JobName?) async throws {
    let bench = Bench()
    bench.daemon.setState("a", "scheduled")
    bench.daemon.failStates(.failed("too many clients", code: .tooManyClients))
    let (held, task) = try await bench.stream(EventSelection(job: job, kinds: [.state]))
    try await bench.until { bench.daemon.statusCount == 1 }
    _ = try await bench.clock.waitForSleeper(notAfter: EventHub.statesInterval)
    #expect(held.received.events == [])
    bench.daemon.failStates(nil)
    bench.clock.advance(by: EventHub.statesInterval)
    try await held.wait { $0.count("state") == 1 }
    #expect(bench.daemon.statusCount == 2)
    task.cancel()
    await task.value
  }

  /// A stuck daemon makes a read last for its whole time limit; a suspended machine, for hours.
  @Test(arguments: [.seconds(1), .seconds(30), .seconds(100_000)] as [Duration])
  func `states are read again within a minute of a long read`(lasting spent: Duration)
    async throws
  {
    let bench = Bench()
    bench.daemon.setState("a", "scheduled")
    bench.daemon.failStates(.failed("stuck")) { bench.clock.advance(by: spent) }
    let (held, task) = try await bench.stream(EventSelection(kinds: [.state]))
    try await bench.until { bench.daemon.statusCount == 1 }
    bench.daemon.failStates(nil)
    let pause = min(spent * 50, .seconds(60))
    try await bench.until { bench.clock.sleeperCount == 2 }
    bench.clock.advance(by: pause)
    try await held.wait { $0.count("state") == 1 }
    task.cancel()
    await task.value
  }

  @Test func `a store that cannot be read ends the streams`() async throws {
    let bench = Bench()
    let (held, task) = try await bench.stream()
    try await held.wait { $0.id == "0-0" }
    bench.store.fail(StoreError(.missing, "there is no store"))
    bench.daemon.notify(items: 1, ended: 1)
    await task.value
    #expect(held.received.events.map(\.name) == ["bye"])
  }

  @Test(arguments: 0..<UInt64(8))
  func `clients that are cut off at any byte get each event exactly once`(seed: UInt64)
    async throws
  {
    let bench = Bench()
    var generator = SeededGenerator(seed: seed)
    var log: [String] = []
    var cursor = EventCursor(items: 0, ended: 0)
    let runCount = 30
    let writer = Task(executorPreference: HostExecutor.shared) {
      for number in 1...runCount {
        let items = (0..<(number % 5)).map { ("\($0)", "\(number)") }
        try? await StoredRuns.add(number, to: bench.store, items: items)
        let end = try? await bench.hub.end()
        bench.daemon.notify(items: end?.items ?? 0, ended: end?.ended ?? 0)
        await Task.yield()
      }
    }
    while log.count(where: { $0.hasPrefix("run") }) < runCount {
      let (held, task) = try await bench.stream(
        after: cursor, bytesMax: 40 + generator.below(4_000))
      try await held.wait { held.isClosed || !$0.log.isEmpty }
      task.cancel()
      await task.value
      log += held.received.log
      if let id = EventCursor(held.received.id) { cursor = id }
    }
    await writer.value
    let all = try await EventPageTests.all(bench.store, after: EventCursor(items: 0, ended: 0))
    #expect(log.sorted() == all.log.sorted())
    #expect(log.filter { $0.hasPrefix("item") } == all.log.filter { $0.hasPrefix("item") })
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(
    _ body: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
