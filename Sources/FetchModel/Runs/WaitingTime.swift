/// The waits of a run, and the time in which it does nothing but wait for its turn at hostnames.
///
/// That time passes while all current requests wait: two parallel waits count once, and one sent
/// request stops it. Times count from any moment and do not go backwards.
package struct WaitingTime: Equatable, Sendable {
  /// A hostname whose turn or answer the run waits for, and since when.
  package struct Turn: Equatable, Sendable {
    package var hostname: String
    package var since: Duration
  }

  /// The most that counts; more waiting is the run's own time.
  package let max: Duration
  /// The current requests, including those that wait for their turn.
  private var requests: [Turn] = []
  private var turns: [Turn] = []
  private var workerSince: Duration?
  private var past: Duration = .zero
  private var since: Duration?

  package init(max: Duration) { self.max = max }

  /// Begins a request; the hostname is empty for requests without one, such as a file.
  package mutating func beginRequest(to hostname: String, now: Duration) {
    requests.append(Turn(hostname: hostname, since: now))
    settle(now)
  }

  package mutating func endRequest(to hostname: String, now: Duration) {
    if let place = requests.firstIndex(where: { $0.hostname == hostname }) {
      requests.remove(at: place)
    }
    settle(now)
  }

  /// Notes that the run entered or left the queue for a worker.
  package mutating func setWaitsForWorker(_ isWaiting: Bool, now: Duration) {
    workerSince = isWaiting ? workerSince ?? now : nil
  }

  package mutating func beginTurn(at hostname: String, now: Duration) {
    turns.append(Turn(hostname: hostname, since: now))
    settle(now)
  }

  /// Ends a wait for a turn, which came or was given up.
  package mutating func endTurn(at hostname: String, now: Duration) {
    if let place = turns.firstIndex(where: { $0.hostname == hostname }) { turns.remove(at: place) }
    // The request is sent only now.
    if let place = requests.firstIndex(where: { $0.hostname == hostname }) {
      requests[place].since = now
    }
    settle(now)
  }

  private mutating func settle(_ now: Duration) {
    let isWaiting = !turns.isEmpty && turns.count >= requests.count
    if let since, !isWaiting {
      past += Swift.max(.zero, now - since)
      self.since = nil
    } else if since == nil, isWaiting {
      since = now
    }
  }

  /// Returns the waiting time so far, at most `max`.
  package func total(now: Duration) -> Duration {
    min(max, past + (since.map { Swift.max(.zero, now - $0) } ?? .zero))
  }

  /// The turn that the run waits for now; nil while it does anything else.
  package var turn: Turn? { since == nil ? nil : turns.first }

  /// The thing that the run waits for now, and since when; nil while it computes.
  package var current: (wait: RunWait, since: Duration)? {
    if let workerSince { return (.worker, workerSince) }
    if let turn { return (.lane(turn.hostname), turn.since) }
    return request.map { (.answer($0.hostname), $0.since) }
  }

  /// The oldest request that has been sent.
  private var request: Turn? {
    var waiting = turns.map(\.hostname)
    return requests.first { request in
      if let place = waiting.firstIndex(of: request.hostname) {
        waiting.remove(at: place)
        return false
      }
      return !request.hostname.isEmpty
    }
  }
}
