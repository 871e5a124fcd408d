package import FetchModel
import FetchValues

/// The conversion of rows of the table `subscriptions` into subscriptions.
package enum SubscriptionRow {
  /// The columns in the order in which `subscription` reads them. The query must join the table
  /// with the table `jobs`.
  package static let columns = """
    subscriptions.id, jobs.name, topic, hub, capability, secret, subscriptions.state, asked_at,
    verified_at, lease_ends_at, next_at, pushes, last_push_at, missed, failures, failing_since,
    failure, trust
    """

  package static let from = "subscriptions JOIN jobs ON jobs.id = subscriptions.job"

  /// Returns the subscription in a row; nil if a required column is NULL or the state is unknown.
  package static func subscription(_ row: some StoreRow) -> Subscription? {
    guard let job = row.text(1), let topic = row.text(2), let hub = row.text(3),
      let capability = row.bytes(4), let secret = row.bytes(5),
      let state = row.text(6).flatMap(SubscriptionState.init)
    else { return nil }
    var subscription = Subscription(
      job: JobName(job), topic: topic, hub: hub, capability: capability, secret: secret)
    subscription.id = row.integer(0)
    subscription.state = state
    subscription.askedAt = row.optionalTime(7)
    subscription.verifiedAt = row.optionalTime(8)
    subscription.leaseEndsAt = row.optionalTime(9)
    subscription.nextAt = row.optionalTime(10)
    subscription.pushCount = row.integer(11)
    subscription.lastPushAt = row.optionalTime(12)
    subscription.missedCount = row.integer(13)
    subscription.failureCount = row.count(14)
    subscription.failingSince = row.optionalTime(15)
    subscription.failure = row.text(16)
    subscription.trust = row.bytes(17).flatMap(trust) ?? PushTrust()
    return subscription
  }

  package static func encoded(_ trust: PushTrust) -> [UInt8]? {
    if trust == PushTrust() { return nil }
    return Value.array([
      .number(trust.pushed), .number(trust.missed),
      trust.at.map { .integer($0.milliseconds) } ?? .null, .integer(Int64(trust.missedInARow)),
    ]).encoded
  }

  private static func trust(_ encoded: [UInt8]) -> PushTrust? {
    guard let parts = (try? Value(encoded: encoded))?.arrayValue, parts.count == 4,
      let pushed = parts[0].numberValue, let missed = parts[1].numberValue
    else { return nil }
    return PushTrust(
      pushed: pushed, missed: missed,
      at: parts[2].integerValue.map { Timestamp(milliseconds: $0) },
      missedInARow: Int(clamping: parts[3].integerValue ?? 0))
  }
}
