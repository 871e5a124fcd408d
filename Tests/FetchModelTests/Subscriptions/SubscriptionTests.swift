import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the steps of a subscription.
@Suite struct SubscriptionTests {
  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let day: Duration = .seconds(86_400)

  private func asked() -> Subscription {
    var subscription = Subscription(
      job: "news", topic: "https://feed.test/", hub: "https://hub.test/", capability: [1],
      secret: [0, 255])
    subscription.nextAt = Self.start
    #expect(subscription.isDue(at: Self.start))
    subscription.noteAsking(at: Self.start)
    return subscription
  }

  private func query(_ pairs: (String, String)...) -> [(name: String, value: String)] {
    pairs.map { (name: $0.0, value: $0.1) }
  }

  private var verification: [(name: String, value: String)] {
    query(
      ("hub.mode", "subscribe"), ("hub.topic", "https://feed.test/"), ("hub.challenge", "c<>"),
      ("hub.lease_seconds", "86400"))
  }

  @Test func `a verification of what was requested is answered with its challenge`() {
    #expect(
      asked().verification(verification, now: Self.start + .seconds(1))
        == .verified(challenge: "c<>", leaseSeconds: 86_400))
    let without = verification.filter { $0.name != "hub.lease_seconds" }
    #expect(
      asked().verification(without, now: Self.start)
        == .verified(challenge: "c<>", leaseSeconds: nil))
  }

  @Test func `another topic, mode, time or form is unknown`() {
    let now = Self.start + .seconds(1)
    let good = verification
    func changed(_ name: String, _ value: String) -> [(name: String, value: String)] {
      good.map { $0.name == name ? (name, value) : $0 }
    }
    let bad = [
      changed("hub.topic", "https://feed.test"), changed("hub.mode", "unsubscribe"),
      changed("hub.mode", ""), changed("hub.challenge", ""),
      changed("hub.challenge", String(repeating: "x", count: 1_025)), good + good, [],
      good.filter { $0.name != "hub.challenge" },
    ]
    for query in bad { #expect(asked().verification(query, now: now) == .unknown) }
    #expect(asked().verification(good, now: Self.start + Self.day + .seconds(1)) == .unknown)
    #expect(asked().verification(good, now: Self.start + .seconds(-1)) == .unknown)
    var unasked = asked()
    unasked.askedAt = nil
    #expect(unasked.verification(good, now: now) == .unknown)
    var ended = asked()
    ended.end()
    #expect(ended.verification(good, now: now) == .unknown)
    let odd = changed("hub.lease_seconds", "-5")
    #expect(asked().verification(odd, now: now) == .verified(challenge: "c<>", leaseSeconds: nil))
  }

  @Test func `a hub that denies is asked again after a week`() {
    var subscription = asked()
    let denial = query(
      ("hub.mode", "denied"), ("hub.topic", "https://feed.test/"), ("hub.reason", "no\nmore"))
    guard case .denied(let reason) = subscription.verification(denial, now: Self.start) else {
      Issue.record("not denied")
      return
    }
    #expect(!reason.contains("\n"))
    #expect(subscription.noteDenied(reason, at: Self.start) == .denied(reason))
    #expect(subscription.noteDenied(reason, at: Self.start) == nil)
    #expect(subscription.state == .denied)
    #expect(subscription.nextAt == Self.start + Self.day * 7)
    #expect(!subscription.isActive(at: Self.start))
  }

  @Test(
    arguments: [
      (nil, 10.0), (86_400, 1.0), (864_000, 10.0), (30 * 86_400, 14.0), (Int64.max, 14.0),
    ] as [(Int64?, Double)])
  func `a lease is what the hub grants, at most 14 days, and is renewed at two thirds`(
    seconds: Int64?, days: Double
  ) {
    for chance in [0, 0.5, 0.999] {
      var subscription = asked()
      #expect(
        subscription.noteVerified(leaseSeconds: seconds, at: Self.start, chance: chance)
          == .verified)
      let end = Self.start + .milliseconds(Int64(days * 86_400_000))
      #expect(subscription.leaseEndsAt == end)
      let share = ((subscription.nextAt ?? Self.start) - Self.start) / (end - Self.start)
      #expect(share > 0.633 && share <= 0.667)
      #expect(subscription.isActive(at: end + .seconds(-1)))
      #expect(!subscription.isActive(at: end))
    }
  }

  @Test func `a lease of a few minutes is renewed before its end`() {
    var subscription = asked()
    _ = subscription.noteVerified(leaseSeconds: 300, at: Self.start, chance: 0)
    #expect(subscription.nextAt == Self.start + .seconds(200))
  }

  @Test func `a tiny lease does not make the hub be asked all the time`() {
    var subscription = asked()
    _ = subscription.noteVerified(leaseSeconds: 0, at: Self.start, chance: 0)
    #expect(subscription.nextAt == Self.start + .seconds(60))
    #expect(subscription.noteTime(Self.start + .seconds(1)) == true)
    #expect(subscription.state == .failing)
    #expect(subscription.failure == "the lease has ended")
  }

  @Test func `a request waits ten minutes for its verification, then backs off`() {
    var subscription = asked()
    #expect(subscription.awaitsVerification)
    #expect(!subscription.isDue(at: Self.start + .seconds(599)))
    let late = Self.start + .seconds(600)
    #expect(subscription.isDue(at: late) && subscription.awaitsVerification)
    #expect(
      subscription.noteFailure(Subscription.unverified, at: late, chance: 0.5)
        == .failed(Subscription.unverified))
    #expect(subscription.state == .failing && !subscription.awaitsVerification)
    // A late verification still counts for a day.
    #expect(subscription.verification(verification, now: late) != .unknown)
    var delays: [Duration] = []
    var now = late
    for _ in 0..<12 {
      let next = subscription.nextAt ?? now
      delays.append(next - now)
      now = next
      #expect(subscription.noteFailure("again", at: now, chance: 0.5) == nil)
    }
    #expect(delays.allSatisfy { $0 >= .seconds(600) && $0 <= Self.day })
    #expect((delays.last ?? .zero) > .seconds(3600))
    #expect(subscription.noteVerified(leaseSeconds: nil, at: now, chance: 0) == .verified)
    #expect(subscription.failureCount == 0 && subscription.failure == nil)
  }

  @Test func `a failed renewal keeps the lease until its end`() {
    var subscription = asked()
    _ = subscription.noteVerified(leaseSeconds: 864_000, at: Self.start, chance: 0)
    let renewal = subscription.nextAt ?? Self.start
    subscription.noteAsking(at: renewal)
    _ = subscription.noteFailure("the hub answered 500", at: renewal, chance: 0)
    #expect(subscription.state == .active && subscription.isActive(at: renewal))
    #expect(subscription.noteTime(renewal) == false)
    #expect(subscription.noteTime(Self.start + Self.day * 10) == true)
    #expect(subscription.state == .failing)
  }

  @Test func `an ended subscription is kept until its lease has ended`() {
    var subscription = asked()
    _ = subscription.noteVerified(leaseSeconds: 864_000, at: Self.start, chance: 0)
    subscription.end()
    #expect(!subscription.isDue(at: Self.start + Self.day * 20))
    #expect(!subscription.isForgettable(at: Self.start + Self.day * 10))
    #expect(subscription.isForgettable(at: Self.start + Self.day * 12))
    subscription.renew(at: Self.start)
    #expect(subscription.nextAt == nil)
  }

  @Test func `the form has what the hub needs`() {
    let form = asked().form(callback: "https://me.test/websub/x").map { "\($0.name)=\($0.value)" }
    #expect(
      form == [
        "hub.mode=subscribe", "hub.topic=https://feed.test/",
        "hub.callback=https://me.test/websub/x", "hub.secret=00ff", "hub.lease_seconds=864000",
      ])
  }
}

/// Tests of the belief about pushes, and of news that came without a push.
@Suite struct PushTrustTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  @Test func `the belief begins at 0, grows with pushes, and forgets over 30 days`() {
    var trust = PushTrust()
    #expect(trust.share(at: Self.start) == 0)
    for _ in 0..<9 { trust.notePushed(at: Self.start) }
    #expect(trust.share(at: Self.start) == 0.9)
    #expect(trust.counts(at: Self.start) == (9, 9))
    let later = Self.start + PushTrust.memory
    #expect(abs(trust.share(at: later) - 4.5 / 5.5) < 1e-9)
    #expect(trust.share(at: later + PushTrust.memory * 100) < 1e-9)
    // A clock that was set back does not change the share.
    #expect(trust.share(at: Self.start + .seconds(-86_400)) == 0.9)
  }

  @Test func `two misses in a row end the belief until the next push`() {
    var trust = PushTrust()
    for _ in 0..<20 { trust.notePushed(at: Self.start) }
    trust.noteMissed(at: Self.start)
    #expect(trust.share(at: Self.start) > 0.9)
    trust.noteMissed(at: Self.start)
    #expect(trust.share(at: Self.start) == 0)
    trust.noteArrival()
    #expect(trust.share(at: Self.start) > 0.8)
  }

  @Test func `values of a damaged store are harmless`() {
    let trust = PushTrust(pushed: .nan, missed: -.infinity, at: nil, missedInARow: -7)
    #expect(trust.share(at: Self.start) == 0)
    #expect(
      PushTrust(pushed: 1e300, missed: 0, at: nil, missedInARow: 0).counts(at: Self.start).all > 0)
  }

  @Test func `news within 15 minutes of a push counts as pushed`() {
    var watch = NewsWatch()
    #expect(watch.notePush(at: Self.start) == false)
    #expect(
      watch.noteRun(
        hasNews: true, startedAt: Self.start + .seconds(2), lastPushAt: Self.start, isPushed: true,
        now: Self.start + .seconds(3)) == true)
    #expect(watch.nextAt == nil)
  }

  @Test func `news that a poll found waits 15 minutes for its push`() {
    var watch = NewsWatch()
    let found = Self.start + .seconds(10)
    #expect(
      watch.noteRun(
        hasNews: true, startedAt: Self.start, lastPushAt: nil, isPushed: false, now: found) == false
    )
    #expect(watch.takeMissed(at: found + .seconds(900)) == false)
    var late = watch
    #expect(late.notePush(at: found + .seconds(900)) == true)
    #expect(late.takeMissed(at: found + .seconds(2_000)) == false)
    #expect(watch.takeMissed(at: watch.nextAt ?? found) == true)
    #expect(watch.takeMissed(at: found + .seconds(5_000)) == false)
  }

  @Test func `a run that a push started in vain is repeated after 1, 5 and 15 minutes`() {
    var watch = NewsWatch()
    _ = watch.notePush(at: Self.start)
    func run(_ hasNews: Bool?, at time: Timestamp) {
      _ = watch.noteRun(
        hasNews: hasNews, startedAt: time, lastPushAt: Self.start, isPushed: true, now: time)
    }
    run(false, at: Self.start)
    #expect(watch.repeatsAt == [60, 300, 900].map { Self.start + .seconds($0) })
    var times: [Timestamp] = []
    while let next = watch.nextAt {
      #expect(watch.takeRepeat(at: next) == true)
      times.append(next)
      run(false, at: next)
    }
    #expect(times == [60, 300, 900].map { Self.start + .seconds($0) })
    // News ends the repeats. The next push may begin the repeats again.
    let again = Self.start + .seconds(5_000)
    _ = watch.notePush(at: again)
    _ = watch.noteRun(
      hasNews: false, startedAt: again, lastPushAt: again, isPushed: true, now: again)
    #expect(watch.repeatsAt.count == 3)
    _ = watch.noteRun(
      hasNews: true, startedAt: again, lastPushAt: again, isPushed: true, now: again)
    #expect(watch.repeatsAt.isEmpty)
  }
}

/// Tests of the discovery of hubs (websub.rocks, subscriber tests 100, 102, 103 and 104).
@Suite struct HubLinksTests {
  private static let base = "https://feed.test/a/feed.xml"

  private func links(_ fields: String...) -> HubLinks { HubLinks(fields: fields, base: Self.base) }

  @Test func `the header names the hub and the topic`() {
    #expect(
      links(
        #"<https://hub.test/>; rel="hub", <https://feed.test/self>; rel="self""#)
        == HubLinks(hub: "https://hub.test/", own: "https://feed.test/self"))
    #expect(
      links("<https://hub.test/>; rel=hub", "</self>;REL=\"alternate SELF\"")
        == HubLinks(hub: "https://hub.test/", own: "https://feed.test/self"))
    #expect(
      links(#"<https://hub.test/?a=1,2;3>; title="x, <y>; rel=self"; rel="hub""#)
        == HubLinks(hub: "https://hub.test/?a=1,2;3"))
    #expect(
      links("<https://one.test/>; rel=hub, <https://two.test/>; rel=hub").hub
        == "https://one.test/")
  }

  @Test(arguments: [
    "", "<", "<>", "rel=hub", "<https://hub.test/", "<https://hub.test/>", "<https://hub.test/>;",
    ";;;;,,,,====\"\"\"", "<https://hub.test/>; rel", "<https://hub.test/>; rel=\"next\"",
    "<https://hub.test/>; title=\"rel=hub",
  ]) func `a damaged header names nothing`(field: String) {
    #expect(links(field).isEmpty)
  }

  @Test func `only the first 16 KB of the header are read`() {
    let long = String(repeating: "<https://x.test/>; rel=next, ", count: 1_000)
    #expect(links(long + "<https://hub.test/>; rel=hub").isEmpty)
  }

  @Test func `the header wins over the document, and the topic may be the address`() throws {
    let header = HubLinks(hub: "https://hub.test/", own: "https://feed.test/header")
    let document = HubLinks(hub: "https://other.test/", own: "https://feed.test/document")
    let both = try #require(header.topic(orIn: document, at: Self.base))
    #expect(both == ("https://hub.test/", "https://feed.test/header"))
    let own = try #require(HubLinks().topic(orIn: document, at: Self.base))
    #expect(own == ("https://other.test/", "https://feed.test/document"))
    let bare = try #require(
      HubLinks().topic(orIn: HubLinks(hub: "https://hub.test/"), at: Self.base))
    #expect(bare == ("https://hub.test/", Self.base))
    #expect(HubLinks().topic(orIn: HubLinks(own: "https://feed.test/"), at: Self.base) == nil)
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "ftp://hub.test/", "/relative", "https://", "",
    "https://hub.test/" + String(repeating: "x", count: 2_000),
  ]) func `an unusable address is no hub`(hub: String) {
    #expect(HubLinks(hub: hub).topic(orIn: HubLinks(), at: Self.base) == nil)
    let other = HubLinks(hub: hub).topic(orIn: HubLinks(hub: "https://hub.test/"), at: Self.base)
    #expect(other?.hub == "https://hub.test/")
  }
}
