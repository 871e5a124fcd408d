package import FetchValues

/// One row of the outbox: a message that a hook has not delivered yet.
package struct Delivery: Equatable, Sendable {
  /// The delivery's id. It is higher than the ids of all earlier deliveries, and no id is reused.
  package var id: Int64
  package var hook: HookName
  package var job: JobName
  /// The run that the delivery reports; nil for an event without a run, such as `stale`.
  package var run: RunID?
  package var event: DeliveryEvent
  /// The payload as compact JSON.
  package var payload: String
  /// The idempotency key, which is the same in every attempt and different for every delivery.
  package var key: String
  package var state = DeliveryState.pending
  /// The id of the first delivery in this delivery's digest; nil if the delivery is not in a digest
  /// yet.
  package var digest: Int64?
  package var attemptCount = 0
  package var failingSince: Timestamp?
  /// The earliest time of the next attempt; nil if no time is set, and for a dead delivery.
  package var nextAttemptAt: Timestamp?
  /// The reason why the last attempt failed or why the delivery waits; nil if there is none.
  package var failure: String?
  package var createdAt: Timestamp

  package init(
    id: Int64, hook: HookName, job: JobName, event: DeliveryEvent, payload: String, key: String,
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

/// The state of a delivery. A delivery that has succeeded is deleted, so success has no state.
package enum DeliveryState: String, Sendable, CaseIterable {
  /// The delivery waits for an attempt, or is being sent.
  case pending
  /// fetchrun has given up. Only a person can retry the delivery, for example with `fetchrun
  /// deliveries retry`.
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
  /// The delivery as a line of `fetchrun deliveries --json`: one compact object with its keys in a
  /// fixed order. Other programs read the line, so keys may be added but never renamed, moved or
  /// removed.
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
  /// Whether the delivery is pending and untried, has a time for its first attempt, and has neither
  /// a digest nor a failure. The time is the end of a digest's period, or follows an error of the
  /// store.
  package var waitsForWindow: Bool {
    state == .pending && digest == nil && attemptCount == 0 && failure == nil
      && nextAttemptAt != nil
  }

  /// Returns the delivery with an earlier next attempt, computed from the hook's present settings.
  /// The result is nil if the time would not become earlier. It is also nil if `waitsForWindow` is
  /// false.
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
  /// Returns the deliveries for display. If a delivery waits for a digest, the present settings of
  /// its hook may move its next attempt to an earlier time.
  package func showingDigests(of hooks: [HookConfig]) -> [Delivery] {
    let byName = Dictionary(hooks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return map { delivery in byName[delivery.hook].flatMap(delivery.retimed) ?? delivery }
  }
}

extension [Delivery] {
  /// Returns the deliveries for display. A delivery that waits for its hook's rate, and has no
  /// other failure, gets a `failure` that names the rate limit. Of the deliveries that wait for one
  /// hook's rate, only the first has a time for the next attempt: the time when the rate allows it.
  /// The deliveries must be in the order of their ids.
  ///
  /// - Parameter opensAt: the time when each hook's rate allows the next delivery. A hook without
  ///   an entry may send now.
  package func showingRates(_ opensAt: [HookName: Timestamp], now: Timestamp) -> [Delivery] {
    var timed: Set<HookName> = []
    var blocked: [HookName: Set<JobName>] = [:]
    return map { delivery in
      guard delivery.state == .pending, let time = opensAt[delivery.hook], time > now,
        blocked[delivery.hook]?.contains(delivery.job) != true
      else { return delivery }
      if let next = delivery.nextAttemptAt, next > time {
        blocked[delivery.hook, default: []].insert(delivery.job)
        return delivery
      }
      var shown = delivery
      shown.nextAttemptAt = timed.insert(delivery.hook).inserted ? time : nil
      if shown.failure == nil { shown.failure = Delivery.rateReason }
      return shown
    }
  }
}

extension Delivery {
  fileprivate static let rateReason = "the hook's rate limit"

  /// Marks the delivery as waiting only because of its hook's rate.
  package mutating func hold(byRateUntil opensAt: Timestamp) {
    nextAttemptAt = opensAt
    failure = Self.rateReason
  }
}

/// The rule for when a failed delivery is retried.
///
/// The delay uses full jitter: a random time up to a ceiling. A receiver that has recovered thus
/// does not receive all deliveries at the same time. The first ceilings are 2, 10 and 60 seconds,
/// because most faults end quickly. Later ceilings follow `Backoff`.
package enum DeliveryRetry {
  /// Returns the ceilings of the delays between attempts. They depend on the number of failures and
  /// on the time since the first failure.
  package static func backoff(failures: Int, failingFor: Duration) -> Backoff {
    .outage(quick: Backoff.quickDelays, failures: failures, failingFor: failingFor)
  }

  /// Returns the delivery after a failed attempt. The delivery has a new retry time or is dead.
  /// `chance` is a random number in 0..<1.
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
    // The random delay may be almost zero. Without a minimum, the next attempt would follow
    // immediately.
    var next = now + max(delay, delayMin)
    if let asked = failure.retryAt { next = max(next, min(asked, now + retryAfterMax)) }
    delivery.nextAttemptAt = next
    return delivery
  }

  package static let delayMin: Duration = .milliseconds(100)
  /// The longest pause that a receiver can request with `Retry-After`.
  package static let retryAfterMax: Duration = .seconds(86_400)
}

/// The reason why an attempt to deliver failed.
package struct DeliveryFailure: Error, Equatable, Sendable {
  /// The failure in one sentence, without secrets.
  package var message: String
  /// Whether the same delivery may succeed later without a change by the user.
  package var isRetryable: Bool
  /// The earliest time that the receiver allows for the next attempt; nil if the receiver gave no
  /// time.
  package var retryAt: Timestamp?

  package init(_ message: String, isRetryable: Bool = true, retryAt: Timestamp? = nil) {
    self.message = message
    self.isRetryable = isRetryable
    self.retryAt = retryAt
  }
}

extension [Delivery] {
  /// Returns the deliveries for display. If a delivery waits only for earlier deliveries, its
  /// `failure` names the first of them. A next attempt at a past time is removed, unless the
  /// delivery has a failure or already belongs to a digest. The deliveries must be in the order of
  /// their ids.
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
  /// The queue in which the delivery is sent, with one attempt at a time. Deliveries of a hook's
  /// digests share a queue, whatever their jobs are.
  fileprivate var order: DeliveryOrder {
    let isOfDigest = digest != nil || waitsForWindow
    return DeliveryOrder(hook: hook, job: isOfDigest ? nil : job)
  }

  fileprivate func waits(_ now: Timestamp) -> Bool { nextAttemptAt.map { $0 > now } ?? false }

  /// Whether both deliveries wait for a digest, and this delivery may be sent now.
  fileprivate func goes(with other: Delivery, _ now: Timestamp) -> Bool {
    waitsForWindow && other.waitsForWindow && !waits(now)
  }
}

private struct DeliveryOrder: Hashable {
  var hook: HookName
  var job: JobName?
}
