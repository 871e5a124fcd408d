/// Tells when requests come so fast that a connection without a follower is closed, as the one that was
/// used least recently, long before it could be of use.
///
/// libcurl looks through all connections for that one, at the end of each transfer once there are
/// more than are kept: a third of the time of 10,000 requests to as many hostnames. So it is cheaper
/// not to keep them then.
struct ConnectionPressure {
  /// So many requests within that time, so that a connection would be kept for half a second.
  private static let count = 4 * EngineLane.connectionsKeptMax
  private static let time: Duration = .seconds(2)

  /// Of the last requests, the oldest of them at `next` once there are `count`.
  private var times: [ContinuousClock.Instant] = []
  private var next = 0

  /// Whether the request that is sent now is one of a crowd.
  mutating func join(at now: ContinuousClock.Instant) -> Bool {
    guard times.count == Self.count else {
      times.append(now)
      return false
    }
    defer {
      times[next] = now
      next = (next + 1) % Self.count
    }
    return times[next].duration(to: now) < Self.time
  }
}
