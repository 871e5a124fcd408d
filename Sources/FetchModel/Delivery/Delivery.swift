package import FetchValues

/// One row of the outbox: something that a hook is to be told, until it was.
package struct Delivery: Equatable, Sendable {
  /// Grows; never given twice.
  package var id: Int64
  package var hook: String
  package var job: String
  /// The run it tells of; nil where there was none.
  package var run: RunID?
  package var event: DeliveryEvent
  /// Compact JSON: see `DeliveryRule`.
  package var payload: String
  /// The same for every attempt to deliver it, and of nothing else.
  package var key: String
  package var state = DeliveryState.pending
  /// The first of the deliveries that go with it in one digest; nil while none was made of it.
  package var digest: Int64?
  package var attemptCount = 0
  package var failingSince: Timestamp?
  /// Nil: at once.
  package var nextAttemptAt: Timestamp?
  /// Of the last attempt.
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

/// How a delivery stands. One that was delivered is there no more.
package enum DeliveryState: String, Sendable, CaseIterable {
  /// To be delivered; `DeliveryService` moves it on.
  case pending
  /// Given up; only a person moves it on, by `fetchrun deliveries retry`.
  case dead
}

/// What a delivery tells of.
package enum DeliveryEvent: String, Sendable, CaseIterable {
  /// Items were added, updated or removed.
  case newData
  case noData
  case failed
  case recovered
  case stale
}

extension Delivery {
  /// The line of `fetchrun deliveries --json`: one object, compact, keys in this order. Other
  /// programs read it: keys may be added, never renamed, moved or left out.
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
  /// Whether it waits for the end of its digest's window and for nothing else: nobody has tried it.
  package var waitsForWindow: Bool {
    state == .pending && digest == nil && attemptCount == 0 && failure == nil
      && nextAttemptAt != nil
  }

  /// The delivery with the time that the present settings of its hook give; nil where it keeps its
  /// own. The time is never later than before: a longer digest holds only what comes after it was set.
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
  /// As people are shown them: those that wait for a digest have the time that the present settings
  /// of their hooks give, as whoever delivers next sees it.
  package func showingDigests(of hooks: [HookConfig]) -> [Delivery] {
    let byName = Dictionary(hooks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return map { delivery in byName[delivery.hook].flatMap(delivery.retimed) ?? delivery }
  }
}

extension [Delivery] {
  /// As people are shown them, in the order of their ids: those that only the rate of their hook holds
  /// say so, and the next of each hook has the time when it may go out.
  ///
  /// - Parameter opensAt: when the rate of a hook lets the next one out; none: at once.
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
      // A time that has come is none.
      shown.nextAttemptAt = timed.insert(delivery.hook).inserted ? time : nil
      if shown.failure == nil { shown.failure = Delivery.rateReason }
      return shown
    }
  }
}

extension Delivery {
  fileprivate static let rateReason = "the rate of its hook"

  /// As it is told of one that nothing else holds.
  package mutating func hold(byRateUntil opensAt: Timestamp) {
    nextAttemptAt = opensAt
    failure = Self.rateReason
  }
}

/// When a delivery that failed is tried again.
///
/// Full jitter: chance between nothing and a ceiling, so that receivers which come back are not met
/// by all at once. The ceilings are a few seconds first, since most faults are over in a moment,
/// then those of `Backoff`.
package enum DeliveryRetry {
  /// Returns the longest delays of a delivery that has failed for `failingFor`.
  package static func backoff(failures: Int, failingFor: Duration) -> Backoff {
    .outage(quick: Backoff.quickDelays, failures: failures, failingFor: failingFor)
  }

  /// What becomes of a delivery whose attempt has failed; `chance` is 0..<1.
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
    // A delay of nothing would be a second attempt in the same instant.
    var next = now + max(delay, delayMin)
    if let asked = failure.retryAt { next = max(next, min(asked, now + retryAfterMax)) }
    delivery.nextAttemptAt = next
    return delivery
  }

  package static let delayMin: Duration = .milliseconds(100)
  /// A receiver that wants to be left alone for longer is asked all the same.
  package static let retryAfterMax: Duration = .seconds(86_400)
}

/// Why an attempt to deliver did not succeed.
package struct DeliveryFailure: Error, Equatable, Sendable {
  /// One sentence, without a secret in it.
  package var message: String
  /// Whether the same delivery may succeed later with nothing changed by the user.
  package var isRetryable: Bool
  /// When the receiver wants to be asked again at the earliest.
  package var retryAt: Timestamp?

  package init(_ message: String, isRetryable: Bool = true, retryAt: Timestamp? = nil) {
    self.message = message
    self.isRetryable = isRetryable
    self.retryAt = retryAt
  }
}

extension [Delivery] {
  /// As people are shown them, in the order of their ids: those that are tried when the one before them
  /// in their order has gone, and have nothing else to wait for, say so. A time that has come is shown
  /// only with a reason.
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
  /// Those of a digest wait for each other whatever their jobs are.
  fileprivate var order: DeliveryOrder {
    let isOfDigest = digest != nil || waitsForWindow
    return DeliveryOrder(hook: hook, job: isOfDigest ? nil : ExactText(job))
  }

  fileprivate func waits(_ now: Timestamp) -> Bool { nextAttemptAt.map { $0 > now } ?? false }

  /// Whether one digest takes both.
  fileprivate func goes(with other: Delivery, _ now: Timestamp) -> Bool {
    waitsForWindow && other.waitsForWindow && !waits(now)
  }
}

private struct DeliveryOrder: Hashable {
  var hook: String
  var job: ExactText?
}
