import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Synchronization
import Testing

@testable import FetchWeb

/// Tests of the callbacks of subscriptions: websub.rocks' subscriber tests 205 and 300 to 302, and
/// hostile messages.
@Suite struct HubTests {
  /// The messages that reached the daemon.
  final class Daemon: Sendable {
    private let log = Mutex<[HubMessage]>([])
    private let isUp = Mutex(true)
    var messages: [HubMessage] { log.withLock { $0 } }
    func stop() { isUp.withLock { $0 = false } }

    var send: WebControl.Send {
      { (request, line) async throws(ControlError) in
        guard self.isUp.withLock(\.self) else { throw ControlError(.noDaemon, "no daemon listens") }
        guard case .subscription(_, let message) = request else { return .failed("unexpected") }
        self.log.withLock { $0.append(message) }
        if message == .pushed { line(["job": "news", "answer": "due", "why": .null]) }
        return .done
      }
    }
  }

  let daemon = Daemon()
  let site: TestSite

  init() throws { site = try TestSite(daemon: daemon.send) }

  private func subscribed(
    _ change: (inout Subscription) -> Void = { _ in }
  ) throws -> Subscription {
    let record = RunRecord(
      run: RunID(startedAt: site.now, random: (1, 2)), job: "news", plugin: "rss",
      trigger: .schedule, outcome: .noData(.empty), startedAt: site.now)
    _ = try site.store.commit(RunCommit(record: record))
    var subscription = Subscription(
      job: "news", topic: "https://feed.test/?a=1&b", hub: "https://hub.test/",
      capability: Array(1...16), secret: [UInt8](repeating: 7, count: 32))
    subscription.noteAsking(at: site.now)
    change(&subscription)
    subscription.id = try site.store.add(subscription)
    return subscription
  }

  private func path(_ subscription: Subscription) -> String { subscription.callback(at: "") }

  private static let query =
    "?hub.mode=subscribe&hub.topic=https%3A%2F%2Ffeed.test%2F%3Fa%3D1%26b&hub.challenge=%3Cb%3Ec"
    + "&hub.lease_seconds=86400"

  @Test func `a requested verification is answered with the challenge alone`() async throws {
    let subscription = try subscribed()
    let answer = await site.answer("GET", path(subscription) + Self.query)
    #expect(answer.status == 200 && answer.text == "<b>c")
    #expect(answer.headers.first("Content-Type") == "text/plain; charset=utf-8")
    #expect(answer.complete.headers.first("X-Content-Type-Options") == "nosniff")
    #expect(daemon.messages == [.verified(leaseSeconds: 86_400)])
    // Hubs may send further parameters.
    #expect(
      await site.answer("GET", path(subscription) + Self.query + "&hub.extra=1").status == 200)
  }

  @Test(arguments: [
    query.replacing("subscribe", with: "unsubscribe"), query.replacing("feed.test", with: "x.test"),
    query.replacing("hub.challenge", with: "challenge"), "", "?hub.mode=subscribe", query + query,
    query.replacing("%3Cb%3Ec", with: String(repeating: "x", count: 1_025)),
  ]) func `a verification that was not requested is not found`(query: String) async throws {
    let subscription = try subscribed()
    let answer = await site.answer("GET", path(subscription) + query)
    #expect(answer.status == 404)
    #expect(daemon.messages.isEmpty)
  }

  @Test func `a verification a day late, of an ended subscription or without a daemon fails`()
    async throws
  {
    let subscription = try subscribed()
    daemon.stop()
    #expect(await site.answer("GET", path(subscription) + Self.query).status == 503)
    site.advance(.seconds(86_401))
    #expect(await site.answer("GET", path(subscription) + Self.query).status == 404)
    try site.store.update([
      {
        var ended = subscription
        ended.end()
        return ended
      }()
    ])
    #expect(await site.answer("GET", path(subscription) + Self.query).status == 404)
  }

  @Test func `a denial is recorded with its reason`() async throws {
    let subscription = try subscribed()
    let answer = await site.answer(
      "GET",
      path(subscription) + "?hub.mode=denied&hub.reason=no&hub.topic="
        + "https%3A%2F%2Ffeed.test%2F%3Fa%3D1%26b")
    #expect(answer.status == 200 && answer.text.isEmpty)
    #expect(daemon.messages == [.denied(reason: "no")])
  }

  /// The HMACs of `body` by Python's hmac, with the key 0707…07 of 64 digits.
  private static let signatures = [
    "sha1=37eb61c74b5be3153a61a94003a39d35fcea55fd",
    "sha256=3a3e5708fb8ff4bbb5960d73e797ac0ec9e2acfde65d7057a98b5066c9992bae",
    "sha384=04c881fed0ca84ff131a9bc50c247c03c2683394682a704e6c16eb64428f3f72"
      + "723db7375efde59be6652311ef30b67c",
    "sha512=893210461aea4d6f197c0aad224517d17d90ba0658ca2ca7f07b540e3eea881e"
      + "c4146ffeabb5d7fd694590e44a5c8bc803f9f385ec455e4cc55ca58bcd922f0e",
  ]

  @Test(arguments: signatures)
  func `a signed message is taken, with each hash function`(signature: String) async throws {
    let subscription = try subscribed()
    let answer = await site.answer(
      "POST", path(subscription), [("X-Hub-Signature", signature)], body: "body")
    #expect(answer.status == 202)
    #expect(answer.text == #"{"job":"news","answer":"due","why":null}"# + "\n")
    #expect(daemon.messages == [.pushed])
  }

  @Test func `a wrong or missing signature is refused and does nothing`() async throws {
    let subscription = try subscribed()
    let wrong = [("X-Hub-Signature", Self.signatures[1])]
    #expect(await site.answer("POST", path(subscription), wrong, body: "bodY").status == 403)
    #expect(await site.answer("POST", path(subscription), body: "body").status == 403)
    #expect(daemon.messages.isEmpty)
  }

  @Test func `an ended subscription is gone, and an unknown callback is not found`() async throws {
    let subscription = try subscribed { $0.end() }
    let answer = await site.answer("POST", path(subscription), body: "body")
    #expect(answer.status == 410 && answer.word == "gone")
    for capability in ["AAAAAAAAAAAAAAAAAAAAAA", "x", "%41", String(repeating: "A", count: 90)] {
      let unknown = await site.answer("POST", "/websub/" + capability, body: "body")
      #expect(unknown.status == 404, "\(capability)")
    }
    #expect(daemon.messages.isEmpty)
  }

  @Test func `a store that cannot be read lets the hub try again`() async throws {
    let subscription = try subscribed()
    site.store.fail(StoreError(.unreachable, "the disk is gone"))
    #expect(await site.answer("POST", path(subscription), body: "body").status == 503)
    #expect(await site.answer("GET", path(subscription) + Self.query).status == 503)
  }

  @Test func `programs read subscriptions without secrets`() async throws {
    let subscription = try subscribed()
    daemon.stop()
    let token = try site.token("t", [.read])
    let answer = await site.answer(
      "GET", "/api/v1/subscriptions",
      [("Authorization", "Bearer \(token)"), ("Accept", "application/x-ndjson")])
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""hub":"https://hub.test/""#))
    #expect(!answer.text.contains(Base64.text(subscription.capability, .url)))
    #expect(!answer.text.contains(Hexadecimal.text(of: subscription.secret)))
    let other = try site.token("o", [.read], jobs: ["other"])
    let hidden = await site.answer(
      "GET", "/api/v1/subscriptions",
      [("Authorization", "Bearer \(other)"), ("Accept", "application/x-ndjson")])
    #expect(hidden.status == 200 && hidden.text.isEmpty)
  }
}
