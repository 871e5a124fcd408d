package import FetchValues

/// When a delivery that failed is tried again.
///
/// Full jitter: chance between nothing and a ceiling, so that receivers which come back are not met
/// by all at once. The ceilings are a few seconds first, since most faults are over in a moment,
/// then those of `Backoff`.
package enum DeliveryRetry {
  package static let quick: [Duration] = [.seconds(2), .seconds(10), .seconds(60)]

  /// The longest delay after so many failures in a row.
  package static func ceiling(failures: Int, failingFor: Duration) -> Duration {
    if failures <= quick.count { return quick[max(0, failures - 1)] }
    return Backoff.ceiling(failures: failures - quick.count, failingFor: failingFor)
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
    let ceiling = ceiling(failures: delivery.attemptCount, failingFor: now - since)
    let part = Double(ceiling.wholeMilliseconds) * max(0, min(chance, 1))
    var next = now + .milliseconds(Int64(part))
    // A delay of nothing would be a second attempt in the same instant.
    next = max(next, now + delayMin)
    if let asked = failure.retryAt { next = max(next, min(asked, now + retryAfterMax)) }
    delivery.nextAttemptAt = next
    return delivery
  }

  package static let delayMin: Duration = .milliseconds(100)
  /// A receiver that wants to be left alone for longer is asked all the same.
  package static let retryAfterMax: Duration = .seconds(86_400)
}
