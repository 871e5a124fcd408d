/// The current waits of a run, and the total time in which the run only waited to send requests.
///
/// The total grows, up to `max`, while all current requests wait to be sent. Two parallel waits
/// count once. The total does not grow while a sent request has no answer. The caller's times may
/// have any zero point, but must never go backwards.
package struct WaitingTime: Equatable, Sendable {
  /// A request's wait to be sent, with the start time of the wait.
  package struct Turn: Equatable, Sendable {
    package var hostname: String
    package var since: Duration
  }

  /// A current request of the run.
  private struct Request: Equatable {
    let number: Int
    let hostname: String
    /// The time at which the request began, or at which its last wait to be sent ended.
    var since: Duration
    /// The wait to be sent; nil while the request does not wait.
    var turn: Turn?
  }

  /// The maximum total waiting time. Waiting beyond this maximum counts toward the run's window.
  package let max: Duration
  /// The current requests, including those that wait to be sent, in the order of their beginnings.
  private var requests: [Request] = []
  private var lastNumber = 0
  private var workerSince: Duration?
  private var past: Duration = .zero
  private var since: Duration?

  package init(max: Duration) { self.max = max }

  /// Records the start of a request and returns the request's number. The hostname is empty for
  /// requests without a hostname, such as requests for files.
  package mutating func beginRequest(to hostname: String, now: Duration) -> Int {
    lastNumber += 1
    requests.append(Request(number: lastNumber, hostname: hostname, since: now))
    settle(now)
    return lastNumber
  }

  package mutating func endRequest(_ number: Int, now: Duration) {
    requests.removeAll { $0.number == number }
    settle(now)
  }

  /// Records that a wait for a worker process began or ended.
  package mutating func setWaitsForWorker(_ isWaiting: Bool, now: Duration) {
    workerSince = isWaiting ? workerSince ?? now : nil
  }

  /// Begins a request's wait to be sent. After a redirect, the hostname may differ from that of the
  /// request.
  package mutating func beginTurn(of number: Int, at hostname: String, now: Duration) {
    guard let place = requests.firstIndex(where: { $0.number == number }) else { return }
    requests[place].turn = Turn(hostname: hostname, since: now)
    settle(now)
  }

  /// Ends a request's wait to be sent, because the request can be sent now or was given up.
  package mutating func endTurn(of number: Int, now: Duration) {
    guard let place = requests.firstIndex(where: { $0.number == number }) else { return }
    requests[place].turn = nil
    // If the request is sent now, its wait for an answer begins now.
    requests[place].since = now
    settle(now)
  }

  private mutating func settle(_ now: Duration) {
    let isWaiting = !requests.isEmpty && requests.allSatisfy { $0.turn != nil }
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
  package var turn: Turn? {
    since == nil ? nil : requests.compactMap(\.turn).min { $0.since < $1.since }
  }

  /// The event for which the run waits now, and the start time of the wait. The value is nil if
  /// there is none, for example while the plugin computes.
  package var current: (wait: RunWait, since: Duration)? {
    if let workerSince { return (.worker, workerSince) }
    if let turn { return (.lane(turn.hostname), turn.since) }
    return request.map { (.answer($0.hostname), $0.since) }
  }

  /// The request that was sent first of those without an answer; nil if there is none. Requests
  /// without a hostname are ignored.
  private var request: Request? {
    requests.filter { $0.turn == nil && !$0.hostname.isEmpty }.min { $0.since < $1.since }
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
