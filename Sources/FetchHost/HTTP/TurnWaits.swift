package import FetchModel
import Synchronization

/// The waiting times of one run. The run's window (its time limit) is suspended while all current
/// requests of the run wait to be sent. Such a request waits for a turn at a hostname or for the
/// end of a cooldown. The total suspension has a maximum.
package final class TurnWaits: Sendable {
  private let time: Mutex<WaitingTime>
  private let elapsed: @Sendable () -> Duration

  /// - Parameters:
  ///   - max: the maximum total time for which the window may be suspended.
  ///   - lanes: the lanes whose clock measures the waits; nil for the clock of the machine.
  package init(max: Duration, lanes: RequestLanes? = nil) {
    time = Mutex(WaitingTime(max: max))
    if let lanes {
      elapsed = { lanes.elapsed() }
    } else {
      let begin = ContinuousClock.now
      elapsed = { begin.duration(to: .now) }
    }
  }

  /// The time for which the window has been suspended so far.
  package var total: Duration {
    let now = elapsed()
    return time.withLock { $0.total(now: now) }
  }

  /// The time for which the window may still be suspended.
  var left: Duration { max(.zero, time.withLock(\.max) - total) }

  /// Whether the run has used up the time for which its window may be suspended. False if the
  /// window may never be suspended.
  package var isUsedUp: Bool {
    let most = time.withLock(\.max)
    return most > .zero && total >= most
  }

  /// Whether all current requests of the run wait to be sent. The run's window is then suspended,
  /// unless the time for suspensions is used up.
  package var isWaiting: Bool { time.withLock { $0.turn != nil } }

  /// The run's current wait and how long the wait has lasted; nil while the run does not wait.
  package var current: (wait: RunWait, waited: Duration)? {
    let now = elapsed()
    return time.withLock { time in
      time.current.map { ($0.wait, max(.zero, now - $0.since)) }
    }
  }

  /// Records the start of a request and returns the request's number.
  package func beginRequest(to hostname: String) -> Int {
    let now = elapsed()
    return time.withLock { $0.beginRequest(to: hostname, now: now) }
  }

  package func endRequest(_ number: Int) {
    let now = elapsed()
    time.withLock { $0.endRequest(number, now: now) }
  }

  func setWaitsForWorker(_ isWaiting: Bool) {
    let now = elapsed()
    time.withLock { $0.setWaitsForWorker(isWaiting, now: now) }
  }

  /// Runs `wait` and returns its result. Meanwhile, the request counts as waiting for a turn or for
  /// the end of a cooldown.
  ///
  /// - Parameter number: the number of the request, from `beginRequest`.
  package func waiting<Answer>(
    _ number: Int, for hostname: String, _ wait: () async -> Answer
  ) async -> Answer {
    begin(number, hostname)
    defer { end(number) }
    return await wait()
  }

  private func begin(_ number: Int, _ hostname: String) {
    let now = elapsed()
    time.withLock { $0.beginTurn(of: number, at: hostname, now: now) }
  }

  private func end(_ number: Int) {
    let now = elapsed()
    time.withLock { $0.endTurn(of: number, now: now) }
  }
}
