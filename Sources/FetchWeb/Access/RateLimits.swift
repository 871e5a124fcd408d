package import FetchValues

/// The failed attempts to use tokens, login codes, push addresses and callbacks, by the client's
/// address.
///
/// Failed attempts never make a valid token or code invalid. Behind a proxy all clients have one
/// address, and one client must not lock out the other clients.
package struct AttemptLimit: Sendable {
  package static let failuresMax = 10
  package static let period: Duration = .seconds(60)
  private static let addressesMax = 1_024

  private var failures: [WebPeer: [Timestamp]] = [:]

  package init() {}

  /// Records a failed attempt and returns nil. If there were already too many failures, records
  /// nothing and returns the time that the client must wait.
  package mutating func fail(_ peer: WebPeer, now: Timestamp) -> Duration? {
    var times = (failures[peer] ?? []).filter { now - $0 < Self.period && $0 <= now }
    if times.count >= Self.failuresMax {
      failures[peer] = times
      return times.first.map { Self.period - (now - $0) } ?? Self.period
    }
    times.append(now)
    if failures[peer] == nil, failures.count >= Self.addressesMax { forget(now) }
    failures[peer] = times
    return nil
  }

  private mutating func forget(_ now: Timestamp) {
    failures = failures.filter { $0.value.contains { now - $0 < Self.period } }
    // A limit for each address does not stop an attacker with a thousand addresses. The memory must
    // stay bounded, so all failures are forgotten.
    if failures.count >= Self.addressesMax { failures = [:] }
  }
}

/// The limit of the requests with each token: 20 requests a second on average, with bursts of at
/// most 60 requests.
package struct RequestRate: Sendable {
  package static let perSecond = 20
  package static let burstMax = 60
  private static let callersMax = 1_024

  private struct Bucket {
    /// The number of requests that are left, in thousandths of a request.
    var level: Int64
    var at: Timestamp

    /// Returns the bucket with the requests that the caller has regained since `at`.
    func refilled(at now: Timestamp) -> Bucket {
      let passed = max(0, min(now.milliseconds &- at.milliseconds, 60_000))
      let full = Int64(RequestRate.burstMax) * 1000
      return Bucket(level: min(full, level + passed * Int64(RequestRate.perSecond)), at: now)
    }
  }

  private var buckets: [Caller.Kind: Bucket] = [:]

  package init() {}

  /// Counts one request and returns nil. If there were too many requests, counts nothing and
  /// returns the time that the caller must wait.
  package mutating func take(_ kind: Caller.Kind, now: Timestamp) -> Duration? {
    if buckets[kind] == nil, buckets.count >= Self.callersMax { forgetFullest(now) }
    var bucket =
      buckets[kind]?.refilled(at: now) ?? Bucket(level: Int64(Self.burstMax) * 1000, at: now)
    guard bucket.level >= 1000 else {
      buckets[kind] = bucket
      return .milliseconds((1000 - bucket.level) / Int64(Self.perSecond) + 1)
    }
    bucket.level -= 1000
    buckets[kind] = bucket
    return nil
  }

  /// Removes the fullest bucket. Its caller gains the least from a new bucket.
  private mutating func forgetFullest(_ now: Timestamp) {
    let fullest = buckets.max { left, right in
      left.value.refilled(at: now).level < right.value.refilled(at: now).level
    }
    if let fullest { buckets[fullest.key] = nil }
  }
}
