package import FetchValues

/// One row of the outbox: a message for a hook until it is delivered.
package struct Delivery: Equatable, Sendable {
  /// The id, which grows and is never reused.
  package var id: Int64
  package var hook: String
  package var job: String
  /// The run that it reports; nil if it is about no run.
  package var run: RunID?
  package var event: DeliveryEvent
  /// The payload as compact JSON: see `DeliveryRule`.
  package var payload: String
  /// The idempotency key: the same for every attempt of this delivery, and of no other.
  package var key: String
  package var state = DeliveryState.pending
  /// The first delivery of its digest; nil until the digest is made.
  package var digest: Int64?
  package var attemptCount = 0
  package var failingSince: Timestamp?
  /// The time of the next attempt; nil for immediately.
  package var nextAttemptAt: Timestamp?
  /// The failure of the last attempt.
  package var failure: String?
  package var createdAt: Timestamp

  package init(
    id: Int64, hook: String, job: String, event: DeliveryEvent, payload: String, key: String,
    createdAt: Timestamp
  ) {
    self.id = id
    self.hook = hook
    self.job = job
    self.event = event
    self.payload = payload
    self.key = key
    self.createdAt = createdAt
  }
}

/// The state of a delivery. A delivered one no longer exists.
package enum DeliveryState: String, Sendable, CaseIterable {
  /// Waiting to be delivered by `DeliveryService`.
  case pending
  /// Given up; only a person retries it, with `fetchrun deliveries retry`.
  case dead
}

/// The event that a delivery reports.
package enum DeliveryEvent: String, Sendable, CaseIterable {
  /// Items were added, updated or removed.
  case newData
  case noData
  case failed
  case recovered
  case stale
}

extension Delivery {
  /// The line of `fetchrun deliveries --json`: one compact object with its keys in this order.
  /// Other programs read it: keys may be added, but never renamed, moved or removed.
  package var json: String {
    var line = JSONLine()
    line.member("id", id)
    line.member("hook", hook)
    line.member("job", job)
    line.member("run", run?.description)
    line.member("event", event.rawValue)
    line.member("key", key)
    line.member("state", state.rawValue)
    line.member("attempts", attemptCount)
    line.member("nextAttemptAt", nextAttemptAt?.description)
    line.member("failure", failure)
    line.member("createdAt", createdAt.description)
    return line.closed()
  }
}

extension Delivery {
  /// Whether it waits only for the end of its digest's window and was never tried.
  package var waitsForWindow: Bool {
    state == .pending && digest == nil && attemptCount == 0 && failure == nil
      && nextAttemptAt != nil
  }

  /// Returns the delivery with the time by its hook's present settings; nil if that is unchanged.
  /// The time never becomes later: a longer digest holds only later events.
  package func retimed(by hook: HookConfig) -> Delivery? {
    guard waitsForWindow, let old = nextAttemptAt else { return nil }
    let new = hook.notBefore(createdAt)
    if let new, new >= old { return nil }
    var delivery = self
    delivery.nextAttemptAt = new
    return delivery
  }
}

extension [Delivery] {
  /// Returns the deliveries for display: those that wait for a digest have the time by their hooks'
  /// present settings, which the next process will use.
  package func showingDigests(of hooks: [HookConfig]) -> [Delivery] {
    let byName = Dictionary(hooks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return map { delivery in byName[delivery.hook].flatMap(delivery.retimed) ?? delivery }
  }
}

extension [Delivery] {
  /// Returns the deliveries for display, by id. Those that only their hook's rate holds say so, and
  /// the next one of each hook has the time when it may be sent.
  ///
  /// - Parameter opensAt: the time when a hook's rate allows the next one; nil for immediately.
  package func showingRates(_ opensAt: [String: Timestamp], now: Timestamp) -> [Delivery] {
    var timed: Set<String> = []
    var blocked: [String: Set<ExactText>] = [:]
    return map { delivery in
      guard delivery.state == .pending, let time = opensAt[delivery.hook], time > now,
        blocked[delivery.hook]?.contains(ExactText(delivery.job)) != true
      else { return delivery }
      if let next = delivery.nextAttemptAt, next > time {
        blocked[delivery.hook, default: []].insert(ExactText(delivery.job))
        return delivery
      }
      var shown = delivery
      // A time in the past is not shown.
      shown.nextAttemptAt = timed.insert(delivery.hook).inserted ? time : nil
      if shown.failure == nil { shown.failure = Delivery.rateReason }
      return shown
    }
  }
}

extension Delivery {
  fileprivate static let rateReason = "the rate of its hook"

  /// Marks it as held only by its hook's rate.
  package mutating func hold(byRateUntil opensAt: Timestamp) {
    nextAttemptAt = opensAt
    failure = Self.rateReason
  }
}

/// The retries of a failed delivery.
///
/// The delay uses full jitter: a random time up to a ceiling, so that a returning receiver does not
/// get all deliveries together. The first ceilings are a few seconds, because most faults end
/// within moments; then `Backoff` applies.
package enum DeliveryRetry {
  /// Returns the longest delays of a delivery that has failed for `failingFor`.
  package static func backoff(failures: Int, failingFor: Duration) -> Backoff {
    .outage(quick: Backoff.quickDelays, failures: failures, failingFor: failingFor)
  }

  /// Returns the result of a failed attempt; `chance` is 0..<1.
  package static func failed(
    _ delivery: Delivery, _ failure: DeliveryFailure, deadAfter: Duration, now: Timestamp,
    chance: Double
  ) -> Delivery {
    var delivery = delivery
    let since = delivery.failingSince ?? now
    delivery.attemptCount += 1
    delivery.failingSince = since
    delivery.failure = failure.message
    guard failure.isRetryable, now - since < deadAfter else {
      delivery.state = .dead
      delivery.nextAttemptAt = nil
      return delivery
    }
    let failures = delivery.attemptCount
    let delay = backoff(failures: failures, failingFor: now - since)
      .delay(failures: failures, floor: .zero, chance: chance)
    // A delay of zero would be a second attempt in the same instant.
    var next = now + max(delay, delayMin)
    if let asked = failure.retryAt { next = max(next, min(asked, now + retryAfterMax)) }
    delivery.nextAttemptAt = next
    return delivery
  }

  package static let delayMin: Duration = .milliseconds(100)
  /// The longest pause that a receiver can ask for.
  package static let retryAfterMax: Duration = .seconds(86_400)
}

/// The reason why an attempt failed.
package struct DeliveryFailure: Error, Equatable, Sendable {
  /// One sentence without secrets.
  package var message: String
  /// Whether the same delivery may succeed later without a change by the user.
  package var isRetryable: Bool
  /// The earliest time for the next attempt that the receiver asked for.
  package var retryAt: Timestamp?

  package init(_ message: String, isRetryable: Bool = true, retryAt: Timestamp? = nil) {
    self.message = message
    self.isRetryable = isRetryable
    self.retryAt = retryAt
  }
}

extension [Delivery] {
  /// Returns the deliveries for display, by id. Those that only wait for the previous delivery in
  /// their order say so. A time in the past is shown only with a reason.
  package func showingOrder(now: Timestamp) -> [Delivery] {
    var firsts: [DeliveryOrder: Delivery] = [:]
    return map { delivery in
      guard delivery.state == .pending else { return delivery }
      let lane = delivery.order
      let first = firsts[lane] ?? delivery
      firsts[lane] = first
      guard delivery.digest == nil, delivery.failure == nil, !delivery.waits(now) else {
        return delivery
      }
      var shown = delivery
      shown.nextAttemptAt = nil
      if first.id != delivery.id, !first.goes(with: delivery, now) {
        shown.failure = "delivery \(first.id) goes first"
      }
      return shown
    }
  }
}

extension Delivery {
  /// The order in which it is sent. Deliveries of a digest share one, whatever their jobs.
  fileprivate var order: DeliveryOrder {
    let isOfDigest = digest != nil || waitsForWindow
    return DeliveryOrder(hook: hook, job: isOfDigest ? nil : ExactText(job))
  }

  fileprivate func waits(_ now: Timestamp) -> Bool { nextAttemptAt.map { $0 > now } ?? false }

  /// Whether one digest contains both.
  fileprivate func goes(with other: Delivery, _ now: Timestamp) -> Bool {
    waitsForWindow && other.waitsForWindow && !waits(now)
  }
}

private struct DeliveryOrder: Hashable {
  var hook: String
  var job: ExactText?
}
