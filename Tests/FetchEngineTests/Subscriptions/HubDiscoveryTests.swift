import FetchModel
import FetchSchedule
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the discovery of hubs by whole runs of plugins, against a scripted publisher and hub on
/// loopback. The cases include websub.rocks' subscriber tests 100 to 104 and 200 to 202.
@Suite struct HubDiscoveryTests {
  let bench: ServiceBench

  init() throws { bench = try ServiceBench(inMemory: true) }

  private static func rss(_ links: String = "") -> String {
    "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><title>t</title>\(links)"
      + "<item><guid>1</guid><title>One</title></item></channel></rss>"
  }

  private static func atom(_ links: String) -> String {
    "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title><id>x</id>\(links)"
      + "<entry><id>1</id><title>One</title></entry></feed>"
  }

  /// The ways to name a hub, with `ORIGIN` for the server's origin.
  private static let feeds: [(name: String, headers: [String], body: String, topic: String)] = [
    (
      "100 header",
      ["Link: <ORIGIN/hub>; rel=\"hub\"", "Link: <ORIGIN/own>; rel=\"self\""], rss(), "/own"
    ),
    (
      "102 Atom", [],
      atom("<link rel=\"hub\" href=\"ORIGIN/hub\"/><link rel=\"self\" href=\"ORIGIN/own\"/>"),
      "/own"
    ),
    (
      "103 RSS", [],
      rss(
        "<atom:link rel=\"hub\" href=\"ORIGIN/hub\"/><atom:link rel=\"self\" href=\"ORIGIN/own\"/>"),
      "/own"
    ),
    (
      "104 priority", ["Link: <ORIGIN/hub>; rel=\"hub\", <ORIGIN/own>; rel=\"self\""],
      rss(
        "<atom:link rel=\"hub\" href=\"ORIGIN/no\"/><atom:link rel=\"self\" href=\"ORIGIN/no\"/>"),
      "/own"
    ),
    ("no self", ["Link: </hub>; rel=hub"], rss(), "/a"),
  ]

  @Test(arguments: feeds.indices)
  func `a run finds the hub and the topic, and the hub is asked`(place: Int) async throws {
    let feed = Self.feeds[place]
    let origin = "http://h1.localhost:\(bench.site.port)"
    bench.site.at("h1/a") { _ in
      Site.Answer(
        headers: feed.headers.map { $0.replacing("ORIGIN", with: origin) },
        body: feed.body.replacing("ORIGIN", with: origin))
    }
    let subscription = try await subscribed(origin)
    #expect(subscription.hub == origin + "/hub", "\(feed.name)")
    #expect(subscription.topic == origin + feed.topic, "\(feed.name)")
    #expect(bench.site.asked.filter { $0 == "h1/hub" }.count == 1)
  }

  /// websub.rocks' test 101: only the page itself names the hub.
  @Test func `a plugin that reads a page finds the hub in the page's head`() async throws {
    let origin = "http://h1.localhost:\(bench.site.port)"
    bench.site.at("h1/hub") { _ in Site.Answer(status: 202, body: "") }
    bench.site.at("h1/a") { _ in
      Site.Answer(
        headers: ["Content-Type: text/html"],
        body: "<html><head><title>t</title><LINK rel='Self' href=/own><link rel=stylesheet href=s>"
          + "<link rel='x HUB' href=/hub></head><body><link rel=hub href=/no></body></html>")
    }
    let open = try await serve("{name: a, plugin: web-page, options: {url: \"{h1}/a\"}}")
    _ = await open.service.subscriptions.step()
    let subscription = try #require(open.service.subscriptions.all.first)
    #expect(subscription.hub == origin + "/hub" && subscription.topic == origin + "/own")
    // A page that no longer names a hub ends the subscription.
    bench.site.at("h1/a") { _ in
      Site.Answer(headers: ["Content-Type: text/html"], body: "<title>t</title><p>News")
    }
    await open.pass(.seconds(2 * 86_400))
    _ = await open.service.subscriptions.step()
    #expect(open.service.subscriptions.all.allSatisfy { $0.state == .ended })
    try await open.stop()
  }

  @Test func `push.poll makes the polls rarer while pushes report the news`() async throws {
    bench.site.at("h1/a") { _ in Site.Answer(body: Self.rss()) }
    let open = try await serve(
      "{name: a, plugin: rss, interval: 1h, push: {poll: 6h}, options: {url: \"{h1}/a\"}}")
    func poll(_ share: Double?) -> Duration? {
      open.service.jobs.withState { state in
        state.learned.pushedShares["a"] = share
        return state.learned.pollWithPushes(of: "a")
      }
    }
    #expect(poll(nil) == nil && poll(0) == nil)
    #expect(poll(0.5) == .seconds(6 * 3600))
    try await open.stop()
  }

  @Test(arguments: [(301, "/moved"), (308, "/moved"), (302, "/a"), (307, "/a")])
  func `only a permanent redirect changes the topic`(status: Int, topic: String) async throws {
    let origin = "http://h1.localhost:\(bench.site.port)"
    bench.site.at("h1/a") { _ in
      Site.Answer(status: status, headers: ["Location: /moved"], body: "")
    }
    bench.site.at("h1/moved") { _ in
      Site.Answer(headers: ["Link: </hub>; rel=hub"], body: Self.rss())
    }
    #expect(try await subscribed(origin).topic == origin + topic)
  }

  @Test func `a job that may not subscribe, and a feed without a hub, ask nobody`() async throws {
    bench.site.at("h1/a") { _ in
      Site.Answer(headers: ["Link: </hub>; rel=hub"], body: Self.rss())
    }
    let open = try await serve(
      "{name: a, plugin: rss, options: {url: \"{h1}/a\"}, websub: false}, "
        + "{name: b, plugin: rss, options: {url: \"{h2}/b\"}}")
    _ = await open.service.subscriptions.step()
    #expect(open.service.subscriptions.all.isEmpty)
    #expect(!bench.site.asked.contains("h1/hub"))
    try await open.stop()
  }

  private func serve(_ jobs: String) async throws -> OpenService {
    let open = try await bench.open("web: {url: https://me.test}\njobs: [\(jobs)]") { _ in }
    open.begin(until: .stopped)
    await open.pass(.seconds(60))
    return open
  }

  private func subscribed(_ origin: String) async throws -> Subscription {
    bench.site.at("h1/hub") { _ in Site.Answer(status: 202, body: "") }
    let open = try await serve("{name: a, plugin: rss, options: {url: \"{h1}/a\"}}")
    _ = await open.service.subscriptions.step()
    let subscription = try #require(open.service.subscriptions.all.first)
    #expect(subscription.state == .pending && subscription.awaitsVerification)
    // After the hub's verification the planner knows the subscription.
    #expect(
      open.service.subscriptions.take(.verified(leaseSeconds: 86_400), of: subscription.id).isKnown)
    #expect(open.service.jobs.withState { $0.learned.pushedShares } == ["a": 0])
    _ = await open.service.subscriptions.step()
    #expect(try await open.store.subscriptions().map(\.state) == [.active])
    try await open.stop()
    return subscription
  }
}
