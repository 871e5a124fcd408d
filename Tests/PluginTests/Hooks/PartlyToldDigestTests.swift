import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Foundation
import Synchronization
import Testing

/// Tests of digests that need several calls, of which one fails. The earlier calls are not
/// repeated.
@Suite(.timeLimit(.minutes(5))) struct PartlyToldDigestTests {
  private static let start = Timestamp(seconds: 1_795_000_000)

  /// The words for the items. Each delivery has a different word.
  private static let words = ["first", "second", "third", "fourth"]

  /// Writes one delivery for each event. A `newData` delivery has 300 items, so that two of these
  /// deliveries do not fit into one call.
  private static func write(_ store: any Store, _ events: [DeliveryEvent]) async throws {
    for (index, event) in events.enumerated() {
      let items = (1...300).map { number -> Value in
        ["id": .string("\(words[index]) \(number)"), "change": "added"]
      }
      let payload = try JSONWriter.text(["items": .array(items)])
      let new = NewDelivery(
        hook: "phone", job: "ships", run: nil, event: event,
        payload: DeliveryPayload(event == .newData ? payload : #"{"run":{}}"#),
        key: "key-\(index + 1)",
        notBefore: nil, createdAt: start)
      try await store.add(new)
    }
  }

  /// Delivers the store's deliveries at the given time after the start, as another process would.
  private static func deliver(
    _ store: any Store, after delay: Duration, rate: Rate? = nil, _ sink: any DeliverySink
  ) async {
    var hook = HookConfig(name: "phone", sink: .command(CommandSettings(words: ["true"])))
    hook.batching = .digest(.seconds(3600))
    hook.rate = rate
    let time = RunTime(now: { start + delay }, random: { .max })
    let setup = DeliveryService.Setup(store: store, hooks: HookRegistry([hook]), time: time) { _ in
      sink
    }
    await DeliveryService(setup).run(until: .idle(patience: .zero))
  }

  @Test func `calls before a failing one are not repeated, and the keys stay the same`()
    async throws
  {
    let refused = Mutex(false)
    let server = try ScriptedServer { request, connection in
      let isSecond = String(decoding: request.body, as: UTF8.self).contains("key-3")
      let isRefused = refused.withLock { was in
        defer { was = was || isSecond }
        return isSecond && !was
      }
      connection.answer(isRefused ? 404 : 200)
    }
    defer { server.stop() }
    let bench = try await PluginBench()
    let hook = try await bench.hook(
      LuaSinkTests.teller, options: ValueObject([("url", .string(server.url + "/"))]))
    let sink = LuaSink(hook, services: bench.pipeline.services)
    let store: any Store = MemoryStore()
    // The hook file has no function for the second delivery.
    try await Self.write(store, [.newData, .noData, .newData, .newData])

    await Self.deliver(store, after: .zero, sink)
    let waiting = try await store.pendingDeliveries(after: 0)
    #expect(waiting.map(\.key) == ["key-3", "key-4"])
    #expect(waiting.map(\.attemptCount) == [1, 1])
    #expect(waiting.map(\.failure) == ["answered 404", "answered 404"])
    #expect(Set(waiting.map(\.digest)) == [1])

    await Self.deliver(store, after: .seconds(60), sink)
    #expect(try await store.deliveryCounts() == (0, 0))
    let told = try server.requests.map {
      try JSONReader.decode(String(decoding: $0.body, as: UTF8.self))["run"]?["delivery"]
    }
    #expect(told == ["key-1", "key-3", "key-3", "key-4"])
    try await bench.close()
  }

  /// Delivers by a shipped hook file to a server that refuses the second of three messages.
  @Test(arguments: NotifyHookTests.services.indices)
  func `a server that requests a pause gets the remaining messages once, after the pause`(
    index: Int
  ) async throws {
    let service = NotifyHookTests.services[index]
    let asked = Mutex(0)
    let server = try ScriptedServer { _, connection in
      let number = asked.withLock { count in
        count += 1
        return count
      }
      if number == 2 {
        connection.answer(429, ["Retry-After: 600"], "{}")
      } else {
        connection.answer(200, [], "{}")
      }
    }
    defer { server.stop() }
    let bench = try await PluginBench(environment: ["TOKEN": "s3cret-t0ken"])
    let hook = try await bench.hook(
      file: NotifyHookTests.folder.appending(path: service.name + ".lua").path,
      options: ValueObject([("server", .string(server.url))] + service.options),
      secrets: [GivenSecret(name: "token", source: .environment("TOKEN"))])
    let sink = LuaSink(hook, services: bench.pipeline.services)
    let store: any Store = MemoryStore()
    try await Self.write(store, [.newData, .newData, .newData])

    await Self.deliver(store, after: .zero, sink)
    let waiting = try await store.pendingDeliveries(after: 0)
    #expect(waiting.map(\.key) == ["key-2", "key-3"], "\(waiting)")
    #expect(
      waiting.map(\.nextAttemptAt) == [Self.start + .seconds(600), Self.start + .seconds(600)])
    #expect(waiting.allSatisfy { $0.failure?.hasSuffix("answered 429") == true }, "\(waiting)")
    await Self.deliver(store, after: .seconds(599), sink)
    #expect(server.requests.count == 2)
    await Self.deliver(store, after: .seconds(600), sink)
    #expect(try await store.deliveryCounts() == (0, 0))
    // The second request repeats the refused message. The first message is not repeated.
    try #require(server.requests.count == 4)
    let sent = try server.requests.map { request in
      (request.method + request.path, try JSONReader.decode(request.body))
    }
    #expect(sent[1] == sent[2])
    let told = server.requests.map { request in
      Self.words.filter { String(decoding: request.body, as: UTF8.self).contains($0) }
    }
    #expect(told == [["first"], ["second"], ["second"], ["third"]])
    try await bench.close()
  }

  /// A sink that returns a given result for its first batch, and accepts all later batches.
  private final class Receiver: DeliverySink {
    let keys = Mutex<[[String]]>([])
    private let first: DeliveryEnd

    init(_ first: DeliveryEnd) { self.first = first }

    func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
      keys.withLock { keys in
        keys.append(batch.deliveries.map(\.key))
        return keys.count == 1 ? first : .delivered
      }
    }
  }

  @Test(arguments: [
    DeliveryEnd.postponed("left alone", until: start + .seconds(3600)),
    .held("left alone", lookAgainAt: start + .seconds(3600)),
  ])
  func `the rest waits like a whole digest, and the sent messages count for the rate`(
    end: DeliveryEnd
  ) async throws {
    let store: any Store = MemoryStore()
    try await Self.write(store, [.newData, .newData, .newData])
    let receiver = Receiver(end.after(toldCount: 1))
    let rate = Rate(amount: 1, period: .hour)
    await Self.deliver(store, after: .zero, rate: rate, receiver)
    let waiting = try await store.pendingDeliveries(after: 0)
    #expect(waiting.map(\.key) == ["key-2", "key-3"])
    #expect(waiting.map(\.attemptCount) == [0, 0])
    #expect(waiting.map(\.failure) == ["left alone", "left alone"])
    // A held digest has no due time of its own, so only the rate delays it.
    await Self.deliver(store, after: .seconds(3599), rate: rate, receiver)
    #expect(receiver.keys.withLock { $0.count } == 1)
    await Self.deliver(store, after: .seconds(3616), rate: rate, receiver)
    #expect(receiver.keys.withLock { $0 } == [["key-1", "key-2", "key-3"], ["key-2", "key-3"]])
    #expect(try await store.deliveryCounts() == (0, 0))
  }
}
