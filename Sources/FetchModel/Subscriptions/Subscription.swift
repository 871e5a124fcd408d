package import FetchValues

/// The states of a subscription.
package enum SubscriptionState: String, Sendable, CaseIterable {
  /// The daemon will send a request to the hub, or the hub has not verified the request yet.
  case pending
  /// The hub has granted a lease, and pushes updates until the lease ends. The daemon asks for a
  /// renewal after about two thirds of the lease, but at the earliest after `renewalMin`.
  case active
  /// There is no active lease: a request to the hub failed, the hub did not verify a request, or
  /// the lease has ended. The daemon sends another request.
  case failing
  /// The hub refuses the subscription. The daemon sends another request every week.
  case denied
  /// The subscription is not needed any more, for example because the feed no longer names the hub.
  /// This state is final.
  case ended
}

/// A job's subscription to a topic at a WebSub hub (https://www.w3.org/TR/websub/).
package struct Subscription: Equatable, Sendable {
  /// The number of the subscription in the store; 0 before the store has assigned a number.
  package var id: Int64 = 0
  package var job: JobName
  /// The source's own address. If no usable own address is known, the topic is the requested
  /// address after permanent redirects.
  package var topic: String
  package var hub: String
  /// The unguessable part of the callback's address. A renewal of the lease keeps this part. A
  /// subscription at another hub or to another topic gets a new one.
  package var capability: [UInt8]
  /// The key with which the hub signs its pushes.
  package var secret: [UInt8]
  package var state = SubscriptionState.pending
  /// The time of the last request to the hub; nil if there was none or the request was postponed.
  package var askedAt: Timestamp?
  package var verifiedAt: Timestamp?
  package var leaseEndsAt: Timestamp?
  /// The time of the next request to the hub; nil if no request is planned. While a request waits
  /// for its verification, the value is the time by which the hub must verify the request.
  package var nextAt: Timestamp?
  package var pushCount: Int64 = 0
  package var lastPushAt: Timestamp?
  /// The number of times that a run found news and no push reported the news in time.
  package var missedCount: Int64 = 0
  package var failureCount: Int = 0
  package var failingSince: Timestamp?
  package var failure: String?
  package var trust = PushTrust()

  package init(job: JobName, topic: String, hub: String, capability: [UInt8], secret: [UInt8]) {
    self.job = job
    self.topic = topic
    self.hub = hub
    self.capability = capability
    self.secret = secret
  }

  package static let capabilityBytes = 16
  package static let secretBytes = 32
  /// The maximum length of the addresses of topics and hubs, in bytes.
  package static let addressBytesMax = 2_000

  /// Whether the state is `active` and the lease has not ended, so that pushes are expected now.
  package func isActive(at now: Timestamp) -> Bool {
    state == .active && leaseEndsAt.map { now < $0 } ?? false
  }

  /// Whether the subscription has the given topic and hub.
  package func isAbout(_ topic: String, at hub: String) -> Bool {
    ExactText(self.hub) == ExactText(hub) && ExactText(self.topic) == ExactText(topic)
  }

  /// Returns the estimated share of the source's news that pushes report in time; 0 without an
  /// active lease.
  package func pushedShare(at now: Timestamp) -> Double {
    isActive(at: now) ? trust.share(at: now) : 0
  }
}

/// An estimate of how reliably a hub pushes: the share of the news that a push reported in time.
/// `NewsWatch` decides whether a push was in time. The estimate begins at 0. The weight of old news
/// halves every 30 days.
package struct PushTrust: Equatable, Sendable {
  /// The weighted number of times that a push reported news in time. `missed` is the weighted
  /// number of times that no push reported the news in time. Both numbers shrink as time passes.
  package private(set) var pushed = 0.0
  package private(set) var missed = 0.0
  package private(set) var at: Timestamp?
  package private(set) var missedInARow = 0

  package static let memory: Duration = .seconds(30 * 86_400)
  /// The number of consecutive missed pushes after which the estimate is 0 until the next push
  /// arrives.
  package static let missedInARowMax = 2

  package init() {}

  /// Creates the estimate from stored values. Values that are negative or not finite count as 0.
  package init(pushed: Double, missed: Double, at: Timestamp?, missedInARow: Int) {
    func usable(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 1e9) : 0 }
    self.pushed = usable(pushed)
    self.missed = usable(missed)
    self.at = at
    self.missedInARow = min(max(missedInARow, 0), 1_000)
  }

  /// Records news that a push reported.
  package mutating func notePushed(at now: Timestamp) {
    fade(to: now)
    pushed += 1
    missedInARow = 0
  }

  /// Records news that no push reported in time.
  package mutating func noteMissed(at now: Timestamp) {
    fade(to: now)
    missed += 1
    missedInARow = min(missedInARow + 1, 1_000)
  }

  /// Records that a push arrived, even if the push reported no news.
  package mutating func noteArrival() { missedInARow = 0 }

  /// Returns the estimated share, in 0..<1. The formula counts one additional miss, so a single
  /// push gives a share of at most a half. The share is 0 after `missedInARowMax` consecutive
  /// misses.
  package func share(at now: Timestamp) -> Double {
    guard missedInARow < Self.missedInARowMax else { return 0 }
    var faded = self
    faded.fade(to: now)
    return faded.pushed / (faded.pushed + faded.missed + 1)
  }

  /// Returns two weighted numbers, rounded for display: how often pushes reported news in time, and
  /// how often there was news.
  package func counts(at now: Timestamp) -> (pushed: Int, all: Int) {
    var faded = self
    faded.fade(to: now)
    let pushed = Int(faded.pushed.rounded())
    return (pushed, pushed + Int(faded.missed.rounded()))
  }

  private mutating func fade(to now: Timestamp) {
    defer { at = max(at ?? now, now) }
    guard let at, now > at else { return }
    let factor = Self.halving((now - at) / Self.memory)
    pushed *= factor
    missed *= factor
  }

  /// Returns 2 to the power of minus `periods`, without a mathematics library. The result is exact
  /// for 0 to 64 whole periods, and interpolated linearly between them.
  private static func halving(_ periods: Double) -> Double {
    var (rest, factor) = (min(max(periods, 0), 64), 1.0)
    while rest >= 1 {
      factor /= 2
      rest -= 1
    }
    return factor * (1 - rest / 2)
  }
}
