import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of the outbox with a sink whose results the test scripts, on a frozen clock.
@Suite(.timeLimit(.minutes(5))) struct DeliveryServiceTests {
  static let start = Timestamp(seconds: 1_800_000_000)

  /// The sink of one hook. It records batches in order. It returns the scripted results in
  /// `orders` first, and `.delivered` for every later batch.
  private final class Receiver: DeliverySink {
    struct Taken: Equatable, Sendable {
      var key: String
      var text: String
    }

    let taken = Mutex<[Taken]>([])
    let orders = Mutex<[DeliveryEnd]>([])

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      taken.withLock { $0.append(Taken(key: batch.key, text: batch.json)) }
      return orders.withLock { $0.isEmpty ? .delivered : $0.removeFirst() }
    }

    var keys: [String] { taken.withLock { $0.map(\.key) } }
  }

  private let clock = ManualClock()
  /// The amount by which the test has set the machine's clock forward.
  private let ahead = ClockStep()
  private let receivers = Receivers()

  private final class ClockStep: Sendable {
    let step = Mutex(Duration.zero)
  }

  private final class Receivers: Sendable {
    private let all = Mutex<[String: Receiver]>([:])
    subscript(name: String) -> Receiver {
      all.withLock { all in
        let receiver = all[name] ?? Receiver()
        all[name] = receiver
        return receiver
      }
    }
  }

  private func hook(_ name: HookName, _ change: (inout HookConfig) -> Void = { _ in }) -> HookConfig
  {
    var hook = HookConfig(name: name, sink: .command(CommandSettings(words: ["true"])))
    change(&hook)
    return hook
  }

  private func service(
    _ store: any Store, _ hooks: [HookConfig],
    logger: @escaping @Sendable (String) -> Void = { _ in }
  ) -> DeliveryService {
    let (clock, ahead, receivers) = (clock, ahead, receivers)
    let time = RunTime(
      now: { Self.start + clock.now.offset + ahead.step.withLock { $0 } }, random: { .max })
    var setup = DeliveryService.Setup(store: store, hooks: HookRegistry(hooks), time: time) {
      receivers[$0.name.text]
    }
    setup.clock = clock
    setup.events = .lines(logger)
    return DeliveryService(setup)
  }

  private func write(
    _ store: any Store, _ deliveries: [(key: String, hook: HookName, job: JobName)],
    notBefore: Timestamp? = nil
  ) async throws {
    for delivery in deliveries {
      let new = NewDelivery(
        hook: delivery.hook, job: delivery.job, run: nil, event: .newData,
        payload: #"{"id":"\#(delivery.key)","items":[]}"#, key: delivery.key,
        notBefore: notBefore, createdAt: Self.start)
      try await store.add(new)
    }
  }

  private func until(_ isSo: () async throws -> Bool) async rethrows {
    while try await !isSo() { await Task.yield() }
  }

  private let failure = DeliveryEnd.failed(DeliveryFailure("down"))

  @Test func `deliveries are sent in the order of each hook and job, and then removed`()
    async throws
  {
    let store: any Store = MemoryStore()
    try await write(
      store,
      [("1", "x", "a"), ("2", "x", "a"), ("3", "y", "a"), ("4", "x", "b"), ("5", "x", "a")])
    await service(store, [hook("x"), hook("y")]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys.filter { $0 != "4" } == ["1", "2", "5"])
    #expect(receivers["y"].keys == ["3"])
    // The order between jobs is not defined.
    let first = receivers["x"].taken.withLock { $0.first { $0.key == "1" } }
    #expect(first?.text == #"{"id":"1","items":[]}"#)
    #expect(try await store.deliveryCounts() == (0, 0))
  }

  @Test func `a sink that fails delays only its own deliveries, and gets the same key again`()
    async throws
  {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "a"), ("3", "y", "a")])
    receivers["x"].orders.withLock { $0 = [failure, failure] }
    let service = service(store, [hook("x"), hook("y")])
    await service.run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == ["1"])
    #expect(receivers["y"].keys == ["3"])
    #expect(service.pendingCount == 2)
    let waiting = try await store.pendingDeliveries(after: 0)
    #expect(waiting.map(\.attemptCount) == [1, 0])
    #expect(waiting[0].failure == "down")
    // Another process continues.
    let next = self.service(store, [hook("x"), hook("y")])
    let running = Task { await next.run(until: .stopped) }
    while receivers["x"].keys.count < 4 {
      clock.advanceToSleeper()
      await Task.yield()
    }
    #expect(receivers["x"].keys == ["1", "1", "1", "2"])
    try await until { try await store.deliveryCounts().pending == 0 }
    next.drain()
    await running.value
  }

  @Test func `a postponed delivery stays in its place, counts as no failure, and can be released`()
    async throws
  {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "a"), ("3", "y", "a")])
    let days = DeliveryEnd.postponed("it is held", until: Self.start + .seconds(30 * 86_400))
    receivers["x"].orders.withLock { $0 = [days] }
    let told = Mutex<[String]>([])
    let service = service(store, [hook("x") { $0.deadAfter = .seconds(60) }, hook("y")]) { line in
      told.withLock { $0.append(line) }
    }
    await service.run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == ["1"])
    #expect(receivers["y"].keys == ["3"])
    let waiting = try await store.pendingDeliveries(after: 0)
    #expect(waiting.map(\.attemptCount) == [0, 0])
    #expect(waiting.map(\.failure) == ["it is held", nil])
    #expect(waiting.map(\.failingSince) == [nil, nil])
    #expect(
      told.withLock { $0 }.sorted() == [
        "hook 'x': deliveries wait: it is held", "hook 'y': delivered newData of a, to true",
      ])
    // The reason for the wait no longer exists.
    try await DeliveryCommands(service).release("x")
    await service.run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == ["1", "1", "2"])
    #expect(try await store.deliveryCounts() == (0, 0))
  }

  @Test func `a delivery that fails for three days is given up, and a user can send it again`()
    async throws
  {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "a")])
    receivers["x"].orders.withLock { $0 = Array(repeating: failure, count: 1000) }
    let service = service(store, [hook("x") { $0.deadAfter = .seconds(60) }])
    let commands = DeliveryCommands(service)
    let running = Task { await service.run(until: .stopped) }
    while try await store.deliveryCounts().dead < 2 {
      clock.advanceToSleeper()
      await Task.yield()
    }
    receivers["x"].orders.withLock { $0 = [] }
    receivers["x"].taken.withLock { $0 = [] }
    #expect(try await commands.retry(2)?.state == .pending)
    #expect(try await commands.retry(9) == nil)
    try await until { try await store.deliveryCounts() == (0, 1) }
    #expect(receivers["x"].keys == ["2"])
    #expect(try await commands.drop(1)?.key == "1")
    #expect(try await commands.drop(1) == nil)
    #expect(try await store.deliveryCounts() == (0, 0))
    service.drain()
    await running.value
  }

  @Test func `a digest is one delivery, with the same content and key at every attempt`()
    async throws
  {
    let store: any Store = MemoryStore()
    let end = Self.start + .seconds(5)
    try await write(store, [("1", "x", "a"), ("2", "x", "b")], notBefore: end)
    receivers["x"].orders.withLock { $0 = [failure] }
    let digest = hook("x") { $0.batching = .digest(.seconds(10)) }
    let service = service(store, [digest])
    let running = Task { await service.run(until: .stopped) }
    while receivers["x"].keys.isEmpty {
      clock.advanceToSleeper()
      await Task.yield()
    }
    try await write(store, [("3", "x", "a")])
    service.storeChanged()
    while receivers["x"].keys.count < 3 {
      clock.advanceToSleeper()
      await Task.yield()
    }
    #expect(receivers["x"].keys == ["1", "1", "3"])
    let texts = receivers["x"].taken.withLock { $0.map(\.text) }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains(#""event":"digest""#))
    #expect(texts[0].contains(#"[{"id":"1","items":[]},{"id":"2","items":[]}]"#))
    service.drain()
    await running.value
  }

  @Test func `a failed digest is reported with all its deliveries`() async throws {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "b")], notBefore: Self.start)
    let refusal = DeliveryEnd.failed(DeliveryFailure("gone", isRetryable: false))
    receivers["x"].orders.withLock { $0 = [failure, refusal] }
    let told = Mutex<[String]>([])
    let service = service(store, [hook("x") { $0.batching = .digest(.seconds(10)) }]) { line in
      told.withLock { $0.append(line) }
    }
    let running = Task { await service.run(until: .stopped) }
    while try await store.deliveryCounts().dead < 2 {
      clock.advanceToSleeper()
      await Task.yield()
    }
    service.drain()
    await running.value
    #expect(
      told.withLock { $0 } == [
        "hook 'x': a digest of 2 deliveries is retried: down",
        "hook 'x': a digest of 2 deliveries was given up: gone; see fetchrun deliveries --failed",
      ])
  }

  @Test func `a digest's hour continues over restarts, and all its deliveries are sent together`()
    async throws
  {
    let store: any Store = MemoryStore()
    let digest = hook("x") { $0.batching = .digest(.seconds(3600)) }
    let end = try #require(digest.notBefore(Self.start))
    try await write(store, [("1", "x", "a")], notBefore: end)
    await service(store, [digest]).run(until: .idle(patience: .zero))
    clock.advance(by: .seconds(1800))
    try await write(store, [("2", "x", "b")], notBefore: end)
    await service(store, [digest]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == [])
    clock.advance(by: end - Self.start - .seconds(1800))
    receivers["x"].orders.withLock { $0 = [failure] }
    await service(store, [digest]).run(until: .idle(patience: .zero))
    // Later deliveries do not join the digest, not even in the next process.
    try await write(store, [("3", "x", "a")])
    clock.advance(by: .seconds(60))
    await service(store, [digest]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == ["1", "1", "3"])
    let texts = receivers["x"].taken.withLock { $0.map(\.text) }
    #expect(texts[0] == texts[1])
    #expect(texts[0].contains(#"[{"id":"1","items":[]},{"id":"2","items":[]}]"#))
  }

  @Test func `failures count over restarts, and after three days the next deliveries are sent`()
    async throws
  {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "a")])
    var dayCount = 0
    while try await store.deliveryCounts().dead == 0 {
      receivers["x"].orders.withLock { $0 = [failure] }
      await service(store, [hook("x")]).run(until: .idle(patience: .zero))
      clock.advance(by: .seconds(86_400))
      dayCount += 1
    }
    // The first delivery is given up after three days, and then the next delivery is sent.
    #expect(dayCount == 4)
    #expect(receivers["x"].keys == ["1", "1", "1", "1", "2"])
    #expect(try await store.deliveryCounts() == (0, 1))
    let dead = try await store.listedDeliveries(onlyDead: true, hook: nil)
    #expect(dead.map(\.key) == ["1"])
    #expect(dead.first?.attemptCount == 4)
    #expect(dead.first?.failure == "down")
  }

  @Test func `the rate of a hook persists over a restart`() async throws {
    let store: any Store = MemoryStore()
    try await write(store, (1...5).map { ("\($0)", "x", JobName("job\($0)")) } + [("6", "y", "a")])
    let slow = hook("x") { $0.rate = Rate(amount: 2, period: .hour) }
    await service(store, [slow, hook("y")]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys.count == 2)
    #expect(receivers["y"].keys == ["6"])
    let kept = try await store.paces(of: ["x", "y"]).keys.sorted()
    #expect(kept == ["x"])
    clock.advance(by: .seconds(3599))
    await service(store, [slow, hook("y")]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys.count == 2)
    clock.advance(by: .seconds(17))
    await service(store, [slow, hook("y")]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys.sorted() == ["1", "2", "3", "4"])
  }

  @Test
  func
    `the deliveries of a held hook are sent immediately if another process finds the hook usable`()
    async throws
  {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "a")])
    let held = DeliveryEnd.held("ask its user", lookAgainAt: Self.start + .seconds(3600))
    receivers["x"].orders.withLock { $0 = [held, held] }
    let told = Mutex<[String]>([])
    let slow = hook("x") { $0.rate = Rate(amount: 1, period: .hour) }
    for _ in 1...2 {
      await service(store, [slow]) { line in told.withLock { $0.append(line) } }
        .run(until: .idle(patience: .seconds(3599)))
    }
    #expect(receivers["x"].keys == ["1", "1"])
    let waiting = try await store.pendingDeliveries(after: 0)
    #expect(waiting.map(\.failure) == ["ask its user", nil])
    #expect(waiting.map(\.nextAttemptAt) == [nil, nil])
    #expect(waiting.map(\.attemptCount) == [0, 0])
    #expect(told.withLock { $0 } == ["hook 'x': deliveries wait: ask its user"])
    // A failed attempt does not count for a rate. A sent delivery counts.
    await service(store, [slow]).run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == ["1", "1", "1"])
    #expect(try await store.pendingDeliveries(after: 0).map(\.key) == ["2"])
  }

  @Test func `a clock that is set forward wakes deliveries that wait for a time`() async throws {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a")], notBefore: Self.start + .seconds(3600))
    let service = service(store, [hook("x") { $0.batching = .digest(.seconds(3600)) }])
    let running = Task { await service.run(until: .stopped) }
    await until { clock.sleeperCount == 1 }
    ahead.step.withLock { $0 = .seconds(3600) }
    service.clockWasSet()
    await until { receivers["x"].keys == ["1"] }
    service.drain()
    await running.value
  }

  @Test func `a running process checks a held hook again when its wait ends`() async throws {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a")])
    receivers["x"].orders.withLock {
      $0 = [.held("ask its user", lookAgainAt: Self.start + .seconds(3600))]
    }
    let service = service(store, [hook("x")])
    let running = Task { await service.run(until: .stopped) }
    await until { clock.sleeperCount == 1 && receivers["x"].keys == ["1"] }
    clock.advance(by: .seconds(3599))
    #expect(receivers["x"].keys == ["1"])
    clock.advance(by: .seconds(1))
    await until { receivers["x"].keys == ["1", "1"] }
    try await until { try await store.deliveryCounts() == (0, 0) }
    service.drain()
    await running.value
  }

  @Test func `a released delivery reports until when the rate of its hook delays it`() async throws
  {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "x", "a"), ("2", "x", "a"), ("3", "y", "a")])
    let slow = hook("x") { $0.rate = Rate(amount: 1, period: .hour) }
    let service = service(store, [slow])
    await service.run(until: .idle(patience: .zero))
    #expect(receivers["x"].keys == ["1"])
    let now = Self.start
    let all = [DeliveryCommands(service), DeliveryCommands(store: store, now: { now })]
    for commands in all {
      let lines = Mutex<[Value]>([])
      let end = await commands.answer(.retry, [2, 3]) { line in lines.withLock { $0.append(line) } }
      #expect(end == .done)
      let told = lines.withLock { $0 }
      #expect(told.map { $0["state"] } == ["pending", "pending"])
      let time = told[0]["nextAttemptAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
      let opensAt = try #require(time)
      // The time is stored in units of a 240th of an hour.
      #expect(opensAt >= now + .seconds(3600) && opensAt <= now + .seconds(3615))
      #expect(told[0]["failure"] == "the hook's rate limit")
      #expect(told[1]["nextAttemptAt"] == .null && told[1]["failure"] == .null)
    }
    #expect(try await store.pendingDeliveries(after: 0).map(\.nextAttemptAt) == [nil, nil])
  }

  @Test func `no timer is set while nothing is due`() async throws {
    let store: any Store = MemoryStore()
    let service = service(store, [hook("x")])
    let running = Task { await service.run(until: .stopped) }
    try await write(store, [("1", "x", "a")])
    service.storeChanged()
    await until { receivers["x"].keys == ["1"] }
    try await until { try await store.deliveryCounts().pending == 0 }
    #expect(clock.sleeperCount == 0)
    service.drain()
    await running.value
  }

  @Test func `the deliveries of a removed hook are not sent and not lost`() async throws {
    let store: any Store = MemoryStore()
    try await write(store, [("1", "gone", "a")])
    let service = service(store, [hook("x")])
    await service.run(until: .idle(patience: .seconds(3600)))
    #expect(service.pendingCount == 0)
    #expect(try await store.deliveryCounts() == (1, 0))
  }
}
