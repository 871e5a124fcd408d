/// The time in which a run does nothing but wait for its turn at hostnames.
///
/// The time runs while all requests under way wait: two that wait side by side count once, and one
/// that is under way stops it. Times are counted from any moment, and do not go backwards.
package struct WaitingTime: Equatable, Sendable {
  /// A hostname that is waited for, and since when.
  package struct Turn: Equatable, Sendable {
    package var hostname: String
    package var since: Duration
  }

  /// What counts at most; whatever is waited beyond it is the run's own time.
  package let max: Duration
  private var requestCount = 0
  private var turns: [Turn] = []
  private var past: Duration = .zero
  private var since: Duration?

  package init(max: Duration) { self.max = max }

  package mutating func beginRequest(now: Duration) {
    requestCount += 1
    settle(now)
  }

  package mutating func endRequest(now: Duration) {
    requestCount -= 1
    settle(now)
  }

  package mutating func beginTurn(at hostname: String, now: Duration) {
    turns.append(Turn(hostname: hostname, since: now))
    settle(now)
  }

  /// The turn has come, or is given up.
  package mutating func endTurn(at hostname: String, now: Duration) {
    if let place = turns.firstIndex(where: { $0.hostname == hostname }) { turns.remove(at: place) }
    settle(now)
  }

  private mutating func settle(_ now: Duration) {
    let isWaiting = !turns.isEmpty && turns.count >= requestCount
    if let since, !isWaiting {
      past += Swift.max(.zero, now - since)
      self.since = nil
    } else if since == nil, isWaiting {
      since = now
    }
  }

  /// At most `max`.
  package func total(now: Duration) -> Duration {
    min(max, past + (since.map { Swift.max(.zero, now - $0) } ?? .zero))
  }

  /// What the run waits for now; nil while it does anything else.
  package var turn: Turn? { since == nil ? nil : turns.first }
}
