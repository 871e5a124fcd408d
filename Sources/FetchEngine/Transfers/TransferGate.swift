package import FetchHost
import FetchModel
package import FetchSchedule
package import FetchValues
import Synchronization

/// What transfers share with runs: lanes, hostnames that are left alone, the budget of all and the
/// job's own.
package protocol TransferGate: Sendable {
  /// How many transfers may be under way at a hostname.
  func places(at hostname: String) -> Int
  /// Until when a hostname is left alone; nil: it is not.
  func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp?
  /// A server asked to be left alone until then.
  func close(_ hostname: String, until: Timestamp, now: Timestamp)
  /// When that may be spent by a job; nil: now.
  func opening(for cost: RunCost, of job: String, now: Timestamp) -> Timestamp?
  /// Takes what a job has spent. False when more than there was is spent now.
  func charge(_ cost: RunCost, to job: String, now: Timestamp) -> Bool
}

/// That of a command without one: no lanes and no budget, but hostnames are left alone as they wish,
/// by its run, too.
package final class OpenGate: TransferGate, Cooldowns {
  private let closed: Mutex<[String: Timestamp]>

  /// `coolDowns` is by origin, as the store has it.
  package init(coolDowns: [ExactText: Timestamp] = [:]) {
    var closed: [String: Timestamp] = [:]
    for (origin, until) in coolDowns {
      guard let target = try? TargetURL(origin.text) else { continue }
      closed[target.hostname] = max(until, closed[target.hostname] ?? until)
    }
    self.closed = Mutex(closed)
  }

  package func places(at hostname: String) -> Int { .max }

  package func closedUntil(_ hostname: String, now: Timestamp) -> Timestamp? {
    closed.withLock { $0[hostname] }.flatMap { $0 > now ? $0 : nil }
  }

  package func close(_ hostname: String, until: Timestamp, now: Timestamp) {
    closed.withLock { $0[hostname] = max(until, $0[hostname] ?? until) }
  }

  package func close(_ note: RetryAfterNote, now: Timestamp) {
    close(note.hostname, until: note.until, now: now)
  }

  package func opening(for cost: RunCost, of job: String, now: Timestamp) -> Timestamp? { nil }
  package func charge(_ cost: RunCost, to job: String, now: Timestamp) -> Bool { true }
}
