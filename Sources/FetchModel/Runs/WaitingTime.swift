/// The current waits of a run, and the total time in which the run only waited to send requests.
///
/// The total grows while all current requests wait to be sent, and two parallel waits count once.
/// The total does not grow while a sent request has no answer. The caller's times may have any zero
/// point, but must never go backwards.
package struct WaitingTime: Equatable, Sendable {
  /// A request's wait to be sent, or to be answered, with the start time of the wait.
  package struct Turn: Equatable, Sendable {
    package var hostname: String
    package var since: Duration
  }

  /// The maximum total waiting time. Waiting beyond this maximum counts toward the run's window.
  package let max: Duration
  /// The current requests, including those that wait to be sent.
  private var requests: [Turn] = []
  private var turns: [Turn] = []
  private var workerSince: Duration?
  private var past: Duration = .zero
  private var since: Duration?

  package init(max: Duration) { self.max = max }

  /// Records the start of a request. The hostname is empty for requests without a hostname, such as
  /// requests for files.
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

  /// Records that a wait for a worker process began or ended.
  package mutating func setWaitsForWorker(_ isWaiting: Bool, now: Duration) {
    workerSince = isWaiting ? workerSince ?? now : nil
  }

  package mutating func beginTurn(at hostname: String, now: Duration) {
    turns.append(Turn(hostname: hostname, since: now))
    settle(now)
  }

  /// Ends a request's wait to be sent, because the request can be sent now or was given up.
  package mutating func endTurn(at hostname: String, now: Duration) {
    if let place = turns.firstIndex(where: { $0.hostname == hostname }) { turns.remove(at: place) }
    // If the request is sent now, its wait for an answer begins now.
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

  /// Returns the total waiting time so far, at most `max`.
  package func total(now: Duration) -> Duration {
    min(max, past + (since.map { Swift.max(.zero, now - $0) } ?? .zero))
  }

  /// The oldest wait to send a request; nil unless all current requests wait to be sent.
  package var turn: Turn? { since == nil ? nil : turns.first }

  /// The event for which the run waits now, and the start time of the wait. The value is nil if
  /// there is none, for example while the plugin computes.
  package var current: (wait: RunWait, since: Duration)? {
    if let workerSince { return (.worker, workerSince) }
    if let turn { return (.lane(turn.hostname), turn.since) }
    return request.map { (.answer($0.hostname), $0.since) }
  }

  /// A request that has been sent and has no answer yet; nil if there is none. Requests without a
  /// hostname are ignored.
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

/// The event for which a run waits.
package enum RunWait: Hashable, Sendable {
  /// The end of another run of the same job.
  case turn
  /// A worker process. The run waits until a process begins to execute the run.
  case worker
  /// The time when the run may send a request to the hostname.
  case lane(String)
  /// The answer to a request. The hostname is that of the plugin's request, even after redirects.
  case answer(String)
}
