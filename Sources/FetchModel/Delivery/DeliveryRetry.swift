package import FetchValues

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
