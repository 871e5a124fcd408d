import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of subscriptions on a virtual clock.
@Suite struct SubscriptionServiceTests {
  private static let day: Duration = .seconds(86_400)

  @Test func `a feed that names a hub is subscribed and stored`() async throws {
    let bench = try await SubscriptionBench()
    let subscription = try #require(await bench.subscribed())
    #expect(subscription.state == .active)
    #expect(subscription.capability.count == 16 && subscription.secret.count == 32)
    #expect(bench.asked.map(\.callback) == [subscription.callback(at: SubscriptionBench.server)])
    #expect(try bench.store.subscriptions() == [subscription])
    // The same hub again changes nothing.
    bench.ran(hub: SubscriptionBench.hub)
    _ = await bench.service.step()
    #expect(bench.asked.count == 1 && bench.service.all.count == 1)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a hub that does not answer delays no other hub`() async throws {
    let bench = try await SubscriptionBench()
    try bench.addSlowJob("slow")
    let service = bench.service
    let running = Task { await service.run() }
    bench.ran(hub: .hub("https://slow.test/", topic: "https://slow.test/feed"), job: "slow")
    while bench.asked.isEmpty { await Task.yield() }
    bench.ran(hub: SubscriptionBench.hub)
    while bench.asked.count < 2, !Task.isCancelled { await Task.yield() }
    while service.all.count(where: { $0.state == .active }) < 1, !Task.isCancelled {
      await Task.yield()
    }
    #expect(service.all.map(\.state) == [.pending, .active])
    // A draining service waits for the answer, and asks nobody again.
    service.drain()
    bench.answer()
    await running.value
    #expect(service.all.map(\.state) == [.active, .active])
    #expect(bench.asked.count == 2)
    #expect(try bench.store.subscriptions().map(\.state) == [.active, .active])
  }

  @Test(.timeLimit(.minutes(5)))
  func `a hub with many requests that wait delays no other hub`() async throws {
    let bench = try await SubscriptionBench()
    let slow = (1...SubscriptionService.requestsMax).map { JobName("slow\($0)") }
    for job in slow { try bench.addSlowJob(job) }
    let service = bench.service
    let running = Task { await service.run() }
    for job in slow {
      bench.ran(hub: .hub("https://slow.test/", topic: "https://slow.test/\(job)"), job: job)
    }
    while service.all.count < slow.count, !Task.isCancelled { await Task.yield() }
    bench.ran(hub: SubscriptionBench.hub)
    while !service.all.contains(where: { $0.state == .active }), !Task.isCancelled {
      await Task.yield()
    }
    #expect(service.all.last?.state == .active)
    service.drain()
    bench.answer()
    await running.value
    #expect(bench.asked.count == SubscriptionService.requestsPerHubMax + 1)
  }

  @Test func `leases are renewed for 90 days without a gap`() async throws {
    let bench = try await SubscriptionBench()
    bench.set(.verifies(leaseSeconds: 864_000))
    let capability = try #require(await bench.subscribed()).capability
    for _ in 0..<90 {
      await bench.pass(Self.day)
      #expect(bench.service.all.first?.isActive(at: bench.now) == true)
    }
    // The lease is ten days, and it is renewed after about two thirds of this time.
    #expect((14...16).contains(bench.asked.count))
    #expect(bench.service.all.map(\.capability) == [capability])
  }

  @Test func `a hub that is dead for a week is asked rarely, and comes back`() async throws {
    let bench = try await SubscriptionBench()
    bench.set(.verifies(leaseSeconds: 86_400))
    _ = try #require(await bench.subscribed())
    bench.set(.fails("hub.test answered 500"))
    await bench.pass(Self.day * 7)
    #expect(bench.service.all.first?.state == .failing)
    #expect(bench.share == 0)
    #expect((8...40).contains(bench.asked.count))
    bench.set(.verifies(leaseSeconds: 86_400))
    await bench.pass(Self.day)
    #expect(bench.service.all.first?.isActive(at: bench.now) == true)
    let entries = bench.recorder.all.compactMap(\.entry).filter { $0.text.contains("hub.test") }
    #expect(
      entries.map(\.text) == [
        "subscribed at hub.test, which pushes updates",
        "cannot subscribe at hub.test: hub.test answered 500",
        "subscribed at hub.test, which pushes updates",
      ])
  }

  @Test func `a hub that never verifies is reported once`() async throws {
    let bench = try await SubscriptionBench()
    bench.set(.silent)
    _ = await bench.subscribed()
    #expect(bench.service.all.first?.state == .pending)
    await bench.pass(Self.day * 7)
    #expect(bench.service.all.first?.state == .failing)
    let entries = bench.recorder.all.compactMap(\.entry).filter { $0.text.contains("web.url") }
    #expect(entries.count == 1)
    #expect((5...40).contains(bench.asked.count))
  }

  @Test func `a daemon that was down during a renewal asks again when it starts`() async throws {
    let first = try await SubscriptionBench()
    first.set(.verifies(leaseSeconds: 86_400))
    let subscription = try #require(await first.subscribed())
    let second = try await SubscriptionBench(store: first.store.reopened())
    second.advance(Self.day * 3)
    _ = await second.service.step()
    #expect(second.asked.map(\.callback) == [subscription.callback(at: SubscriptionBench.server)])
    #expect(second.service.all.first?.isActive(at: second.now) == true)
  }

  @Test func `a replay of 10,000 messages starts few runs and few writes`() async throws {
    let bench = try await SubscriptionBench()
    let id = try #require(await bench.subscribed()).id
    let stored = try bench.store.subscriptions()
    for _ in 0..<10_000 { #expect(bench.service.take(.pushed, of: id).isKnown) }
    _ = await bench.service.step()
    // Counts are stored once a minute.
    #expect(try bench.store.subscriptions() == stored)
    await bench.pass(.seconds(61))
    #expect(try bench.store.subscriptions().first?.pushCount == 10_000)
    let now = bench.now
    #expect(bench.jobs.due(now: now).count <= 1)
  }

  @Test func `pushes that report news first raise the belief, and misses end it`() async throws {
    let bench = try await SubscriptionBench()
    let id = try #require(await bench.subscribed()).id
    for _ in 0..<20 {
      _ = bench.service.take(.pushed, of: id)
      bench.ran(SubscriptionBench.news, .push)
      await bench.pass(.seconds(3_600))
    }
    #expect(bench.share > 0.9)
    for _ in 0..<2 {
      bench.ran(SubscriptionBench.news)
      await bench.pass(.seconds(3_600))
    }
    #expect(bench.share == 0)
    #expect(bench.service.missedCount == 2)
    let sentence = try #require(bench.service.all.first).sentence(now: bench.now)
    #expect(sentence.contains("did not push the last 2"))
    _ = bench.service.take(.pushed, of: id)
    #expect(bench.share > 0.7)
    let again = try #require(bench.service.all.first).sentence(now: bench.now)
    #expect(again.contains("of the last") && again.contains("at least once a day"))
  }

  @Test func `another hub, no hub and a forbidden job end a subscription`() async throws {
    let bench = try await SubscriptionBench()
    let first = try #require(await bench.subscribed())
    bench.ran(hub: .hub("https://other.test/", topic: "https://feed.test/"))
    _ = await bench.service.step()
    #expect(bench.service.all.map(\.state) == [.ended, .active])
    #expect(bench.service.all.last?.capability != first.capability)
    #expect(!bench.service.take(.pushed, of: first.id).isKnown)
    #expect(bench.service.renew(first.id) == nil)
    bench.ran(hub: HubDiscovery.none)
    _ = await bench.service.step()
    #expect(bench.service.all.map(\.state) == [.ended, .ended])
    let last = try #require(
      await {
        bench.ran(hub: SubscriptionBench.hub)
        _ = await bench.service.step()
        return bench.service.all.last
      }())
    #expect(last.state == .active)
    bench.allow(false)
    _ = await bench.service.step()
    #expect(bench.service.all.allSatisfy { $0.state == .ended })
    await bench.pass(Self.day * 16)
    #expect(try bench.store.subscriptions().isEmpty)
  }

  @Test func `an ended subscription that the store cannot remove is removed later`() async throws {
    let bench = try await SubscriptionBench()
    _ = try #require(await bench.subscribed())
    bench.allow(false)
    _ = await bench.service.step()
    bench.advance(Self.day * 16)
    bench.store.fail(StoreError(.unreachable, "the disk is gone"))
    #expect(await bench.service.step() == bench.now + .seconds(60))
    bench.store.fail(nil)
    #expect(try bench.store.subscriptions().map(\.state) == [.ended])
    await bench.pass(.seconds(60))
    #expect(try bench.store.subscriptions().isEmpty && bench.service.all.isEmpty)
  }

  @Test func `without an address of the server nothing is asked`() async throws {
    let bench = try await SubscriptionBench(server: nil)
    bench.ran(hub: SubscriptionBench.hub)
    await bench.pass(Self.day)
    #expect(bench.asked.isEmpty && bench.service.all.isEmpty)
  }

  @Test func `a budget that is spent postpones the request`() async throws {
    let bench = try await SubscriptionBench()
    bench.set(.postpones(.seconds(1_800)))
    _ = await bench.subscribed()
    #expect(bench.service.all.first?.nextAt == bench.now + .seconds(1_800))
    bench.set(.verifies(leaseSeconds: nil))
    await bench.pass(.seconds(1_801))
    #expect(bench.service.all.first?.state == .active)
  }

  @Test func `a run in vain after a push is repeated, past caches`() async throws {
    let bench = try await SubscriptionBench()
    let id = try #require(await bench.subscribed()).id
    _ = bench.service.take(.pushed, of: id)
    for run in bench.jobs.due(now: bench.now) { #expect(!bench.jobs.takeFresh(run.start.name)) }
    bench.ran(.noData(.notModified), .push)
    await bench.pass(.seconds(61))
    #expect(bench.jobs.takeFresh("news"))
    #expect(!bench.jobs.takeFresh("news"))
  }
}
